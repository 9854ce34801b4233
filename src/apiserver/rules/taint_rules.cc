// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rules/taint_rules.h"

#include <boost/json/value.hpp>
#include <set>
#include <tuple>
#include <utility>

#include "apiserver/rules/name_rules.h"

namespace proxima::apiserver::rules {
namespace {

namespace json = boost::json;

constexpr std::string_view kEffects[] = {"NoSchedule", "PreferNoSchedule", "NoExecute"};
constexpr std::string_view kOperators[] = {"Equal", "Exists"};

void check_taint(FieldErrors& errors, const JsonFields& taint, const FieldPath& path) {
  const std::string_view key = text_at(taint, "key");
  errors.invalid_each(path / "key", key, qualified_name_faults(key));
  const std::string_view value = text_at(taint, "value");
  if (const Faults faults = label_value_faults(value); !faults.empty())
    errors.invalid(path / "value", value, joined(faults, ";"));
  errors.one_of(path / "effect", text_at(taint, "effect"), kEffects);
}

void check_operator(FieldErrors& errors, const JsonFields& toleration, const FieldPath& path) {
  const std::string_view word = text_at(toleration, "operator");
  const std::string_view value = text_at(toleration, "value");
  if (word == "Exists") {
    if (!value.empty())
      errors.invalid(path, value, "value must be empty when `operator` is 'Exists'");
  } else if (word.empty() || word == "Equal") {
    if (const Faults faults = label_value_faults(value); !faults.empty())
      errors.invalid(path, value, joined(faults, ";"));
  } else {
    errors.not_supported(path, word, kOperators);
  }
}

}  // namespace

void check_taints(FieldErrors& errors, const JsonArray& taints, const FieldPath& path) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (std::size_t i = 0; i < taints.size(); ++i) {
    const JsonFields& taint = object_of(taints[i]);
    check_taint(errors, taint, path[i]);
    const std::string_view key = text_at(taint, "key");
    const std::string_view effect = text_at(taint, "effect");
    if (!seen.emplace(effect, key).second)
      errors.duplicate(path[i],
                       json::object{{"Key", json::string(key)},
                                    {"Value", json::string(text_at(taint, "value"))},
                                    {"Effect", json::string(effect)},
                                    {"TimeAdded", value_at(taint, "timeAdded")}},
                       "taints must be unique by key and effect pair");
  }
}

void check_tolerations(FieldErrors& errors, const JsonArray& tolerations, const FieldPath& path) {
  for (std::size_t i = 0; i < tolerations.size(); ++i) {
    const JsonFields& toleration = object_of(tolerations[i]);
    const std::string_view key = text_at(toleration, "key");
    const std::string_view word = text_at(toleration, "operator");
    const std::string_view effect = text_at(toleration, "effect");
    if (!key.empty()) errors.invalid_each(path[i] / "key", key, qualified_name_faults(key));
    if (key.empty() && word != "Exists")
      errors.invalid(path[i] / "operator", word,
                     "operator must be Exists when `key` is empty, which means \"match all values "
                     "and all keys\"");
    if (has(toleration, "tolerationSeconds") && effect != "NoExecute")
      errors.invalid(path[i] / "effect", effect,
                     "effect must be 'NoExecute' when `tolerationSeconds` is set");
    check_operator(errors, toleration, path[i] / "operator");
    if (!effect.empty()) errors.one_of(path[i] / "effect", effect, kEffects);
  }
}

void check_added_tolerations(FieldErrors& errors, const JsonArray& tolerations,
                             const JsonArray& old, const FieldPath& path) {
  // All of a toleration but its seconds.
  const auto identity = [](const json::value& item) {
    const JsonFields& toleration = object_of(item);
    return std::make_tuple(find_text(toleration, "key"), find_text(toleration, "operator"),
                           find_text(toleration, "value"), find_text(toleration, "effect"));
  };
  std::set<decltype(identity(json::value()))> now;
  for (const json::value& toleration : tolerations) now.insert(identity(toleration));
  for (const json::value& before : old) {
    if (now.contains(identity(before))) continue;
    errors.forbidden(path, "existing toleration can not be modified except its tolerationSeconds");
    return;
  }
  check_tolerations(errors, tolerations, path);
}

}  // namespace proxima::apiserver::rules
