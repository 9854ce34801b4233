// SPDX-License-Identifier: Apache-2.0
#include "conformance/lp_solver/reference_plan.h"

#include <glpk.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>

namespace proxima::lp {
namespace {

// Capacities and demand are rounded shares; the exact sums may miss each other by a hair, which an
// exact solver would call impossible.
constexpr double kSlack = 1e-13;

struct DeleteProblem {
  void operator()(glp_prob* problem) const { glp_delete_prob(problem); }
};
using Problem = std::unique_ptr<glp_prob, DeleteProblem>;

// One linear program over the arcs from places with demand to places with capacity. The column
// after the last arc is the worst load, used by the second program only.
class Program {
 public:
  explicit Program(const Question& question) : question_(question), problem_(glp_create_prob()) {
    glp_set_obj_dir(problem_.get(), GLP_MIN);
    for (std::size_t z = 0; z < places(); ++z) {
      for (std::size_t t = 0; t < places(); ++t) add_arc(z, t);
    }
    worst_ = glp_add_cols(problem_.get(), 1);
    glp_set_col_bnds(problem_.get(), worst_, GLP_LO, 0, 0);
    for (std::size_t z = 0; z < places(); ++z) add_demand_row(z);
    for (std::size_t t = 0; t < places(); ++t) add_limit_row(t);
  }

  // After solve(): what has a price in the optimum is fixed as it is, which leaves exactly the
  // plans that cost no more; among them the worst load is minimised.
  void minimise_worst_load() {
    for (const Arc& arc : arcs_) {
      if (has_price(glp_get_col_dual(problem_.get(), arc.column))) {
        glp_set_col_bnds(problem_.get(), arc.column, GLP_FX, 0, 0);
      }
      glp_set_obj_coef(problem_.get(), arc.column, 0);
    }
    for (const int row : limit_rows_) {
      if (!has_price(glp_get_row_dual(problem_.get(), row))) continue;
      const double limit = glp_get_row_ub(problem_.get(), row);
      glp_set_row_bnds(problem_.get(), row, GLP_FX, limit, limit);
    }
    glp_set_obj_coef(problem_.get(), worst_, 1);
    for (std::size_t t = 0; t < places(); ++t) add_worst_load_row(t);
  }

  // Tolerances far below what is compared. With the finest one GLPK goes in circles on one case in
  // a hundred thousand; a coarser one ends that. Its exact simplex is no help: it reads its input
  // rounded to fractions that are up to 1e-9 off.
  bool solve() {
    glp_scale_prob(problem_.get(), GLP_SF_AUTO);
    for (const double tolerance : {1e-12, 1e-11, 1e-10}) {
      if (solve_within(tolerance)) return true;
    }
    return false;
  }

  double objective() const { return glp_get_obj_val(problem_.get()); }

 private:
  bool solve_within(double tolerance) {
    glp_smcp settings;
    glp_init_smcp(&settings);
    settings.msg_lev = GLP_MSG_OFF;
    settings.tol_bnd = settings.tol_dj = tolerance;
    settings.it_lim = 20'000;
    glp_adv_basis(problem_.get(), 0);
    if (glp_simplex(problem_.get(), &settings) != 0) return false;
    return glp_get_status(problem_.get()) == GLP_OPT;
  }

  struct Arc {
    std::size_t from, to;
    int column;
  };
  struct Term {
    int column;
    double factor;
  };

  std::size_t places() const { return question_.demand.size(); }
  double price(std::size_t z, std::size_t t) const { return question_.price[z * places() + t]; }

  void add_arc(std::size_t z, std::size_t t) {
    if (question_.demand[z] <= 0 || question_.capacity[t] <= 0) return;
    const int column = glp_add_cols(problem_.get(), 1);
    glp_set_col_bnds(problem_.get(), column, GLP_LO, 0, 0);
    glp_set_obj_coef(problem_.get(), column, price(z, t));
    arcs_.push_back({z, t, column});
    highest_price_ = std::max(highest_price_, price(z, t));
  }

  // Sums of decimal prices that are equal on paper differ in the last bit.
  bool has_price(double dual) const { return std::abs(dual) > 1e-12 * highest_price_; }

  int add_row(const std::vector<Term>& terms, int kind, double low, double high) {
    std::vector<int> columns{0};
    std::vector<double> factors{0};
    for (const Term& term : terms) {
      columns.push_back(term.column);
      factors.push_back(term.factor);
    }
    const int row = glp_add_rows(problem_.get(), 1);
    glp_set_row_bnds(problem_.get(), row, kind, low, high);
    glp_set_mat_row(problem_.get(), row, static_cast<int>(terms.size()), columns.data(),
                    factors.data());
    return row;
  }

  void add_demand_row(std::size_t z) {
    std::vector<Term> terms;
    for (const Arc& arc : arcs_) {
      if (arc.from == z) terms.push_back({arc.column, 1});
    }
    if (!terms.empty()) add_row(terms, GLP_FX, question_.demand[z], question_.demand[z]);
  }

  std::vector<Term> load_of(std::size_t t) const {
    std::vector<Term> terms;
    for (const Arc& arc : arcs_) {
      if (arc.to == t) terms.push_back({arc.column, 1});
    }
    return terms;
  }

  void add_limit_row(std::size_t t) {
    if (question_.capacity[t] <= 0 || std::isinf(question_.limit)) return;
    const double limit = question_.limit * question_.capacity[t] + kSlack;
    limit_rows_.push_back(add_row(load_of(t), GLP_UP, 0, limit));
  }

  void add_worst_load_row(std::size_t t) {
    if (question_.capacity[t] <= 0) return;
    std::vector<Term> terms = load_of(t);
    terms.push_back({worst_, -question_.capacity[t]});
    add_row(terms, GLP_UP, 0, 0);
  }

  const Question& question_;
  Problem problem_;
  std::vector<Arc> arcs_;
  std::vector<int> limit_rows_;
  double highest_price_ = 0;
  int worst_ = 0;
};

}  // namespace

Reference solve_reference(const Question& question) {
  glp_term_out(GLP_OFF);
  Program program(question);
  Reference reference;
  if (!program.solve()) return reference;
  reference.cost = program.objective();
  program.minimise_worst_load();
  if (!program.solve()) return reference;
  reference.worst_load = program.objective();
  reference.solved = true;
  return reference;
}

}  // namespace proxima::lp
