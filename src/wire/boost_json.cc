// SPDX-License-Identifier: Apache-2.0
// Boost.JSON compiled once: Debian's headers come without the library.
#include <boost/json/src.hpp>
