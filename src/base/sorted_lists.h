// SPDX-License-Identifier: Apache-2.0
// Lists in ascending order, each value once.
#pragma once

#include <utility>
#include <vector>

namespace proxima {

// Takes out of both lists what is equal in them. Values of which neither is less may be different,
// and stay then. In as many steps as the lists have values.
template <class T, class Less, class Equal>
void drop_equal(std::vector<T>& first, std::vector<T>& second, Less less, Equal equal) {
  std::vector<T> left;
  std::vector<T> right;
  auto one = first.begin();
  auto other = second.begin();
  while (one != first.end() && other != second.end()) {
    if (less(*one, *other)) {
      left.push_back(std::move(*one++));
    } else if (less(*other, *one)) {
      right.push_back(std::move(*other++));
    } else if (equal(*one, *other)) {
      ++one, ++other;
    } else {
      left.push_back(std::move(*one++));
      right.push_back(std::move(*other++));
    }
  }
  for (; one != first.end(); ++one) left.push_back(std::move(*one));
  for (; other != second.end(); ++other) right.push_back(std::move(*other));
  first = std::move(left);
  second = std::move(right);
}

}  // namespace proxima
