# SPDX-License-Identifier: Apache-2.0
"""The differences between a recorded answer and another one, as readable lines."""

MISSING = "nothing"


def differences(recorded, here, path=""):
    """[(path, recorded value, value here)], deepest paths first in the order of the recording."""
    if isinstance(recorded, dict) and isinstance(here, dict):
        found = []
        for key in list(recorded) + [key for key in here if key not in recorded]:
            found += differences(recorded.get(key, MISSING), here.get(key, MISSING),
                                 f"{path}/{key}" if path else key)
        return found
    if isinstance(recorded, list) and isinstance(here, list):
        found = []
        for index in range(max(len(recorded), len(here))):
            pair = [side[index] if index < len(side) else MISSING for side in (recorded, here)]
            found += differences(*pair, f"{path}/{index}")
        return found
    # 1 and True are equal in Python, not in JSON.
    if recorded == here and isinstance(recorded, bool) == isinstance(here, bool):
        return []
    return [(path, recorded, here)]
