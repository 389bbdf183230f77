// Gauss-Legendre quadrature in panels.
#pragma once

#include <boost/math/quadrature/gauss.hpp>
#include <vector>

namespace legato::dfr {

struct RadialNode {
    double r, weight;
};

// Appends the 16 nodes of a panel in ascending order.
inline void append_nodes(double from, double to, std::vector<RadialNode>& nodes) {
    using Rule = boost::math::quadrature::gauss<double, 16>;
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    const auto& x = Rule::abscissa();
    const auto& w = Rule::weights();
    for (std::size_t i = x.size(); i-- > 0;) nodes.push_back({middle - half * x[i], half * w[i]});
    for (std::size_t i = 0; i < x.size(); ++i) nodes.push_back({middle + half * x[i], half * w[i]});
}

// Returns the integral of f over one panel.
template <class F>
double panel_integral(double from, double to, F&& f) {
    return boost::math::quadrature::gauss<double, 16>::integrate(f, from, to);
}

// Returns the ends of panels from `from` to `to`. width(r) is the largest width of a panel that begins at r.
template <class Width>
std::vector<double> panel_ends(double from, double to, Width&& width) {
    std::vector<double> ends{from};
    while (ends.back() < to) {
        const double end = ends.back() + width(ends.back());
        // A short rest is no panel of its own.
        ends.push_back(end + 0.1 * (end - ends.back()) < to ? end : to);
    }
    return ends;
}

}  // namespace legato::dfr
