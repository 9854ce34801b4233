// SPDX-License-Identifier: Apache-2.0
module proxima.io/tests/system/linearizability/checker

go 1.26.0

require github.com/anishathalye/porcupine v1.3.1
