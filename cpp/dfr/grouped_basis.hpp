// Basis sets whose species are divided into groups. The functions of a group form a pool, whose exponents follow from
// the group's parameters.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "dfr/problem.hpp"

namespace legato::dfr {

struct WellTempered {
    double alpha = 0, beta = 0, delta = 0, gamma = 0;
};

// Returns zeta_1 = alpha, zeta_2 = alpha beta, zeta_k = zeta_(k-1) beta [1 + gamma (k/K)^delta] for k = 3..K = count
// (S. Huzinaga and M. Klobukowski, Chem. Phys. Lett. 212, 260 (1993)). Throws if one exceeds largest_exponent.
std::vector<double> well_tempered_exponents(const WellTempered& parameters, int count);

struct ExponentRange {
    int first = 0, last = 0;  // numbers in the pool, from 1; 0 if there are none
};

enum class GroupForm : int {
    well_tempered = 0,  // parameters alpha, beta, delta, gamma
    even_tempered = 1,  // parameters alpha, beta: zeta_k = alpha beta^(k-1)
    free = 2,           // the parameters are the exponents of the pool
};

struct ExponentGroup {
    GroupForm form = GroupForm::well_tempered;
    std::vector<double> parameters;

    ExponentGroup() = default;
    ExponentGroup(GroupForm form_of_group, std::vector<double> its_parameters)
        : form(form_of_group), parameters(std::move(its_parameters)) {}
    ExponentGroup(const WellTempered& w) : parameters{w.alpha, w.beta, w.delta, w.gamma} {}
};

// Returns the parameters of a group that is not free. An even-tempered one has delta = gamma = 0.
WellTempered well_tempered_of(const ExponentGroup& group);

// The functions of a species are those of its range in the pool of its group. The pool ends where the last of these
// ranges ends.
struct GroupedBasis {
    std::vector<ExponentGroup> groups;
    std::vector<int> group;             // [species] number of its group, from 0
    std::vector<ExponentRange> ranges;  // [species]
};

// Throws an invalid_argument that names the wrong field.
void validate(const GroupedBasis& basis, std::string_view field);

// Returns the number of functions in the pool of a group.
int pool_size(const GroupedBasis& basis, std::size_t group);
// Returns the number of parameters of a group with a pool of this size.
std::size_t parameter_count(GroupForm form, int pool_size);
std::size_t parameter_count(const GroupedBasis& basis);  // of all groups

std::vector<std::vector<double>> exponents_of(const GroupedBasis& basis);  // [species][function]

// Returns dE / d ln parameter of all groups, one group after the other, from dE / d ln zeta [species][function].
std::vector<double> parameter_gradient(const GroupedBasis& basis,
                                       std::span<const std::vector<double>> exponent_gradient);

// Returns an upper triangular matrix R, by rows, for changes d of ln parameter: |R d|^2 is the sum of the squared
// changes of ln zeta in all pools, apart from a small part that keeps R regular.
std::vector<double> exponent_metric(const GroupedBasis& basis);

}  // namespace legato::dfr
