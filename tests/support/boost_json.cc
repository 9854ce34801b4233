// SPDX-License-Identifier: Apache-2.0
// Boost.JSON compiled once for all tests: Debian's headers come without the library.
#include <boost/json/src.hpp>
