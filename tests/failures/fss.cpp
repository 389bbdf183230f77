// Tests a fit with an irrelevant field, and all that can be read from it.
#include <array>
#include <cmath>
#include <vector>

#include "scenario.hpp"

namespace legato::tests {
namespace {

using Fss = Owned<legato_fss, legato_fss_destroy>;

struct Data {
    std::vector<double> length, control, value, error;
};

Data data() {
    Data data;
    for (const double length : {4.0, 8.0, 16.0})
        for (int i = -2; i <= 2; ++i) {
            const double field = 0.1 * i * std::pow(length, 0.7);
            data.length.push_back(length);
            data.control.push_back(2 + 0.1 * i);
            data.value.push_back(1 + field + 0.1 * field * field + 0.5 / length);
            data.error.push_back(1e-4);
        }
    return data;
}

}  // namespace

void use_fss(Scenario& scenario) {
    const Data of = data();
    const auto n = static_cast<int64_t>(of.length.size());
    auto params = scenario.defaults("legato_fss_params_init", legato_fss_params_init);
    params.relevant_order = 2;
    params.irrelevant_order = 1;
    params.relevant_expansion = 1;
    params.resamples = 100;
    // If LAPACK cannot calculate a start, the fit begins from the others, and takes another path to the minimum.
    scenario.note_to(1e-5);
    Fss fss;
    scenario.make("legato_fss_create", fss, [&](legato_fss** made) {
        return legato_fss_create(scenario.context(), &params, n, of.length.data(), of.control.data(), of.value.data(),
                                 of.error.data(), made);
    });
    scenario.step("legato_fss_run", [&] { return legato_fss_run(fss.get(), Scenario::progress, nullptr); });
    legato_fss_fit fit{};
    fit.struct_size = sizeof fit;
    scenario.step("legato_fss_result", [&] { return legato_fss_result(fss.get(), &fit); });
    scenario.note(std::array{fit.critical_point, fit.critical_point_error, fit.exponent, fit.exponent_low,
                             fit.irrelevant_exponent, fit.critical_value_high, static_cast<double>(fit.status),
                             static_cast<double>(fit.resamples_done), static_cast<double>(fit.resamples_failed)});
    std::array<double, 10> values{}, errors{}, low{}, high{};
    scenario.step("legato_fss_parameters", [&] {
        return legato_fss_parameters(fss.get(), fit.parameters, values.data(), errors.data(), low.data(), high.data());
    });
    scenario.note(std::span(values).first(static_cast<std::size_t>(fit.parameters)));
    std::array<double, 3> curve{}, fields{}, shifted{1, 1, 1};
    scenario.step("legato_fss_curve", [&] {
        return legato_fss_curve(fss.get(), 3, of.length.data(), of.control.data(), curve.data(), errors.data());
    });
    scenario.note(curve);
    scenario.step("legato_fss_collapse", [&] {
        shifted = {1, 1, 1};
        return legato_fss_collapse(fss.get(), 3, of.length.data(), of.control.data(), shifted.data(), fields.data());
    });
    scenario.note(shifted);
    scenario.step("legato_fss_scaling_function",
                  [&] { return legato_fss_scaling_function(fss.get(), 3, fields.data(), curve.data()); });
    scenario.note(curve);
    legato_fss_params again{};
    again.struct_size = sizeof again;
    scenario.step("legato_fss_get_params", [&] { return legato_fss_get_params(fss.get(), &again); });
}

}  // namespace legato::tests
