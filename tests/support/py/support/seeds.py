# SPDX-License-Identifier: Apache-2.0
"""The seed of a test that draws random numbers."""
import os
import random


def seed_of_this_run(default=None):
    """PROXIMA_SEED, else `default`, else a new one. Printed as the variable that repeats the run,
    which tools/run_tests shows when the test fails."""
    seed = int(os.environ.get("PROXIMA_SEED") or
               (random.SystemRandom().randrange(1 << 31) if default is None else default))
    print(f"PROXIMA_SEED={seed}", flush=True)
    return seed
