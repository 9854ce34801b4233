// SPDX-License-Identifier: Apache-2.0
#include "cli/service_choice.h"

#include <gtest/gtest.h>

#include "support/cluster.h"

namespace proxima::cli {
namespace {

model::SnapshotPtr shops() {
  return test::cluster(
      "node n1 a 4; node n2 b 4; service shop/cart; endpoint n1; service shop/web; endpoint n1; "
      "service test/cart; endpoint n2");
}

std::string chosen(const ScopeOptions& scope, const std::vector<std::string>& names) {
  const auto snapshot = shops();
  const auto services = choose_services(*snapshot, scope, names);
  if (!services) return "error: " + services.error().message;
  std::string out;
  for (const auto service : *services)
    out += (out.empty() ? "" : " ") + full_name(*snapshot, service);
  return out;
}

TEST(ServiceChoice, ReadsNamesAsKubectlDoes) {
  const struct {
    const char* text;
    const char* ns;
    const char* name;
  } cases[] = {
      {"cart", "", "cart"},         {"shop/cart", "shop", "cart"},
      {"service/cart", "", "cart"}, {"service/shop/cart", "shop", "cart"},
      {"svc/cart", "", "cart"},     {"services/shop/cart", "shop", "cart"},
      {"service", "", "service"},   {"svc/service/cart", "service", "cart"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text);
    const auto reference = parse_service_reference(c.text);
    ASSERT_TRUE(reference);
    EXPECT_EQ(reference->ns.value_or(""), c.ns);
    EXPECT_EQ(reference->name, c.name);
  }
  for (const char* text : {"", "/", "shop/", "/cart", "a/b/c", "service/a/b/c", "service/"}) {
    SCOPED_TRACE(text);
    EXPECT_FALSE(parse_service_reference(text));
  }
}

TEST(ServiceChoice, ChoosesByNamespaceNameAndNothing) {
  const ScopeOptions everywhere, in_test{.ns = "test"};
  EXPECT_EQ(chosen(everywhere, {}), "shop/cart shop/web test/cart");
  EXPECT_EQ(chosen(in_test, {}), "test/cart");
  EXPECT_EQ(chosen({.ns = "test", .all_namespaces = true}, {}), "shop/cart shop/web test/cart");
  EXPECT_EQ(chosen({.ns = "nowhere"}, {}), "");
  EXPECT_EQ(chosen(everywhere, {"cart"}), "shop/cart test/cart");
  EXPECT_EQ(chosen(in_test, {"cart", "shop/web", "cart"}), "shop/web test/cart");
  EXPECT_EQ(chosen({.selector = "app=cart"}, {}), "");
  EXPECT_EQ(chosen({.selector = "!app"}, {}), "shop/cart shop/web test/cart");
}

TEST(ServiceChoice, NamesWhatDoesNotExistAndWhatIsNear) {
  EXPECT_EQ(chosen({}, {"shop/crat"}),
            "error: service \"shop/crat\" not found; did you mean shop/cart?");
  EXPECT_EQ(chosen({.ns = "test"}, {"web"}),
            "error: service \"test/web\" not found; did you mean shop/web?");
  EXPECT_EQ(chosen({}, {"a/b/c"}),
            "error: \"a/b/c\" is not a service: write NAME, NAMESPACE/NAME or "
            "service/NAMESPACE/NAME");
  const auto snapshot = shops();
  EXPECT_EQ(choose_service(*snapshot, {}, "cart").error().message,
            "service \"cart\" is in several namespaces: shop/cart, test/cart");
  EXPECT_TRUE(choose_service(*snapshot, {}, "web"));
  EXPECT_EQ(choose_node(*snapshot, "n3").error().message,
            "node \"n3\" not found; did you mean n1 or n2?");
  EXPECT_EQ(choose_zone(*snapshot, "c").error().message,
            "zone \"c\" not found; the zones are a, b");
}

}  // namespace
}  // namespace proxima::cli
