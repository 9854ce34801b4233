// SPDX-License-Identifier: Apache-2.0
// Asio's own code, compiled once: BOOST_ASIO_SEPARATE_COMPILATION keeps it out of its users.
#include <boost/asio/impl/src.hpp>
#include <boost/asio/ssl/impl/src.hpp>
