// SPDX-License-Identifier: Apache-2.0
// Puts labels beside their points so that they hide neither each other, nor a point, nor a line.

const overlap = (a, b) => Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left))
  * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

const boxAround = (x, y, radius) => ({ left: x - radius, right: x + radius, top: y - radius, bottom: y + radius });

// Boxes along a polyline, close enough together that a label cannot slip between them.
function boxesAlong(points) {
  const boxes = [];
  for (let i = 1; i < points.length; i += 1) {
    const [a, b] = [points[i - 1], points[i]];
    const steps = Math.ceil(Math.hypot(b.x - a.x, b.y - a.y) / 6) || 1;
    for (let step = 0; step <= steps; step += 1) {
      const t = step / steps;
      boxes.push(boxAround(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, 2.5));
    }
  }
  return boxes;
}

// Where a label of this size may stand: beside, above, below, at the corners; near before far.
function candidates(point, width, height) {
  const spots = [];
  for (const gap of [10, 18, 30, 46]) {
    for (const [dx, dy] of [[1, 0], [-1, 0], [0, -1], [0, 1], [1, -1], [-1, -1], [1, 1], [-1, 1]]) {
      const slant = dx && dy ? 0.72 : 1;
      const middleX = point.x + dx * (gap * slant + width / 2);
      const middleY = point.y + dy * (gap * slant + height / 2);
      spots.push({
        gap, left: middleX - width / 2, right: middleX + width / 2,
        top: middleY - height / 2, bottom: middleY + height / 2,
      });
    }
  }
  return spots;
}

// `labels`: {x, y, width, height, optional}, most important first; `frame`: the box to stay in;
// `obstacles`: boxes to keep clear. Returns a box for each label, or null for an optional one that
// would stand far off or in the way.
function placeLabels(labels, frame, obstacles) {
  const taken = [...obstacles];
  return labels.map((label) => {
    let best = null;
    for (const spot of candidates(label, label.width, label.height)) {
      const outside = Math.max(0, frame.left - spot.left) + Math.max(0, spot.right - frame.right)
        + Math.max(0, frame.top - spot.top) + Math.max(0, spot.bottom - frame.bottom);
      const hidden = taken.reduce((sum, box) => sum + overlap(spot, box), 0);
      const penalty = hidden + outside * 60 + spot.gap;
      if (!best || penalty < best.penalty) best = { ...spot, penalty };
    }
    if (label.optional && best.penalty > 20) return null;
    taken.push(best);
    return best;
  });
}
