#include "fss/problem.hpp"

#include <algorithm>
#include <cmath>

#include "core/parameter.hpp"
#include "fss/model.hpp"

namespace legato::fss {
namespace {

constexpr double largest = 1e12;

void require_list(const std::string& field, const std::vector<double>& values, double low, double high) {
    for (std::size_t i = 0; i < values.size(); ++i)
        require_real([&] { return text(field, '[', i, ']'); }, values[i], low, high);
}

void require_different(const char* field, const std::vector<double>& values) {
    if (std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); }))
        fail(Status::invalid_argument, field, ": all are ", values.front(), ", but a fit needs at least two");
}

// Synthetic data differ from the fit by about the errors. If these are lost in rounding, so are the errors of the fit.
void require_above_rounding(const Problem& problem) {
    double most = 0;
    for (const double value : problem.value) most = std::max(most, std::fabs(value));
    for (std::size_t i = 0; i < problem.error.size(); ++i)
        if (problem.error[i] < 1e-12 * most)
            fail(Status::invalid_argument, "fss.error[", i, "]: ", problem.error[i],
                 " is less than 1e-12 of the largest value, ", most);
}

}  // namespace

void validate(const Problem& problem) {
    require_parameters("fss.params", problem);
    if (problem.irrelevant_order == 0 && problem.irrelevant_expansion != 0)
        fail(Status::invalid_argument, "fss.params.irrelevant_expansion: ", problem.irrelevant_expansion,
             " is not 0, but fss.params.irrelevant_order is 0");
    require_integer("fss.n_data", static_cast<std::int64_t>(problem.value.size()),
                    static_cast<std::int64_t>(Model(problem).parameters()), max_data);
    validate_places("fss", problem.length, problem.control);
    require_list("fss.value", problem.value, -largest, largest);
    require_list("fss.error", problem.error, 1e-60, largest);
    require_above_rounding(problem);
    require_different("fss.length", problem.length);
    require_different("fss.control", problem.control);
}

void validate_places(const char* field, const std::vector<double>& length, const std::vector<double>& control) {
    require_list(text(field, ".length"), length, 1, largest);
    require_list(text(field, ".control"), control, -largest, largest);
}

}  // namespace legato::fss
