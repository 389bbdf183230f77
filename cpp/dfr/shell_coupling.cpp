#include "dfr/shell_coupling.hpp"

#include <algorithm>
#include <cmath>

#include "dfr/spinor_matrices.hpp"

namespace legato::dfr {

Matrix columns_in_order(const Matrix& a, const std::vector<std::size_t>& order) {
    Matrix sorted(a.rows, order.size());
    for (std::size_t k = 0; k < order.size(); ++k) std::copy_n(a.column(order[k]), a.rows, sorted.column(k));
    return sorted;
}

namespace {

// The open shells of a species, in ascending order.
struct OpenSpinors {
    std::vector<std::size_t> columns;
    std::vector<double> occupations;  // electrons a spinor
    Matrix closed_fock;               // F between them
    std::vector<Matrix> excess;       // X_i between them

    OpenSpinors(const Matrix& fock, const std::vector<Matrix>& excesses, const Matrix& u,
                const std::vector<OccupiedShell>& shells, double degeneracy) {
        for (std::size_t i = 0; i < shells.size(); ++i) {
            if (shells[i].open < 0) continue;
            columns.push_back(i);
            occupations.push_back(shells[i].electrons / degeneracy);
        }
        const Matrix spinors = columns_in_order(u, columns);
        closed_fock = transposed_product(spinors, product(fock, spinors));
        for (const Matrix& of_shell : excesses)
            excess.push_back(transposed_product(spinors, product(of_shell, spinors)));
    }

    // Returns an element of F_i.
    double fock(std::size_t i, std::size_t a, std::size_t b) const { return closed_fock(a, b) + excess[i](a, b); }

    // Returns the element of the coupled matrix between two shells, the lower one first. `ratio` has the sign of the
    // second derivative in the requested state: the change of the operators is less important than the distance of the
    // levels.
    double coupling(std::size_t i, std::size_t j) const {
        constexpr double least = 0.1;  // bounds the step where the second derivative is small
        const double f_i = occupations[i], f_j = occupations[j], distance = fock(j, j, j) - fock(i, i, i),
                     bend = f_i * (fock(i, j, j) - fock(i, i, i)) + f_j * (fock(j, i, i) - fock(j, j, j)),
                     ratio = distance != 0.0 ? std::max(std::abs(bend / distance), least) : least;
        return (f_i * fock(i, i, j) - f_j * fock(j, i, j)) / std::copysign(ratio, f_i - f_j);
    }

    // Returns true if the shells mix the states of their mean Fock operator by more than half.
    bool are_mixed(std::size_t i, std::size_t j) const {
        const double f_i = occupations[i], f_j = occupations[j];
        const auto mean = [&](std::size_t a, std::size_t b) { return f_i * fock(i, a, b) + f_j * fock(j, a, b); };
        return 2.0 * std::abs(mean(i, j)) > mean(j, j) - mean(i, i);
    }
};

// Adds the couplings between the open shells to a matrix that has none of their excesses.
void add_couplings(Matrix& fock, const OpenSpinors& open, const Matrix& u) {
    const std::size_t m = u.rows;
    for (std::size_t i = 0; i < open.columns.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const double added = open.coupling(j, i) - open.closed_fock(i, j);
            const double *const a = u.column(open.columns[i]), *const b = u.column(open.columns[j]);
            for (std::size_t q = 0; q < m; ++q)
                for (std::size_t p = 0; p < m; ++p) fock(p, q) += added * (a[p] * b[q] + b[p] * a[q]);
        }
}

// Returns P A P, where P projects the spinors `u` out.
Matrix between_others(const Matrix& a, const Matrix& u) {
    const Matrix au = product(a, u), inside = transposed_product(u, au), crossed = product_transposed(au, u),
                 within = product_transposed(product(u, inside), u);
    Matrix result = a;
    for (std::size_t j = 0; j < a.columns; ++j)
        for (std::size_t i = 0; i < a.rows; ++i) result(i, j) += within(i, j) - crossed(i, j) - crossed(j, i);
    return result;
}

// Returns the number of the highest open shell above an empty one, or -1.
int highest_excited(const std::vector<OccupiedShell>& shells) {
    int open = -1, highest = -1;
    for (std::size_t i = 0; i < shells.size(); ++i) {
        if (shells[i].open < 0) continue;
        ++open;
        if (shells[i].index > i) highest = open;
    }
    return highest;
}

}  // namespace

Matrix coupled_fock(Matrix fock, const std::vector<Matrix>& excess, const Matrix& u,
                    const std::vector<OccupiedShell>& shells, double degeneracy) {
    if (excess.empty()) return fock;
    const std::size_t m = u.rows;
    const OpenSpinors open(fock, excess, u, shells, degeneracy);
    for (std::size_t k = 0; k < excess.size(); ++k) {
        // The sum over all eigenvectors u_i would give X u_open = sum of x_i u_i. Only eigenvectors whose weight is not
        // 1 need a correction.
        const std::size_t column = open.columns[k];
        Matrix w = product(excess[k], part_of(u, 0, m, column, 1));
        Matrix weights = transposed_product(u, w);
        const double q = shells[column].electrons;
        for (std::size_t i = 0; i < shells.size(); ++i) {
            if (shells[i].open < 0)
                weights(i, 0) *= -q / (degeneracy - q) - 1.0;
            else
                weights(i, 0) *= i == column ? 0.5 - 1.0 : -1.0;
        }
        add(w, product(u, weights));
        for (std::size_t j = 0; j < m; ++j)
            for (std::size_t i = 0; i < m; ++i) fock(i, j) += w(i, 0) * u(j, column) + u(i, column) * w(j, 0);
    }
    if (excess.size() > 1) add_couplings(fock, open, u);
    if (const int excited = highest_excited(shells); excited >= 0)
        add(fock, between_others(excess[static_cast<std::size_t>(excited)], u));
    return fock;
}

std::vector<double> gradient_weights(const std::vector<OccupiedShell>& shells) {
    const auto open = static_cast<double>(
        std::count_if(shells.begin(), shells.end(), [](const OccupiedShell& shell) { return shell.open >= 0; }));
    std::vector<double> weights;
    weights.reserve(shells.size());
    double left = open;
    for (const OccupiedShell& shell : shells) weights.push_back(shell.open < 0 ? 1.0 : left-- / (open + 1.0));
    return weights;
}

int wrong_state(const Matrix& fock, const std::vector<Matrix>& excess, const Matrix& u,
                const std::vector<OccupiedShell>& shells, double degeneracy, std::size_t negative) {
    const OpenSpinors open(fock, excess, u, shells, degeneracy);
    for (std::size_t i = 0; i < open.columns.size(); ++i)
        for (std::size_t j = i + 1; j < open.columns.size(); ++j)
            if (open.are_mixed(i, j)) return static_cast<int>(open.columns[i]);
    double above = 0;
    for (std::size_t i = 0; i < fock.rows; ++i) above = std::max(above, std::abs(fock(i, i)));
    std::size_t k = 0;
    for (std::size_t i = 0; i < shells.size(); ++i) {
        if (shells[i].open < 0) continue;
        Matrix own = fock;
        add(own, excess[k++]);
        std::vector<std::size_t> others;
        for (std::size_t j = 0; j < shells.size(); ++j)
            if (j != i) others.push_back(j);
        const Matrix spinor = columns_in_order(u, {i});
        const double energy = trace_product(spinor, product(own, spinor));
        const Matrix outside = columns_in_order(u, others);
        own = between_others(own, outside);
        add(own, product_transposed(outside, outside), above);  // the others come last
        const std::vector<double> levels = diagonalise(own);
        const std::size_t empty = shells[i].index - i, place = negative + empty;
        const double distance = place + 1 < levels.size() ? levels[place + 1] - levels[place] : 1.0;
        if (std::abs(levels[place] - energy) > 0.1 * distance + 1e-6 * std::abs(energy)) return static_cast<int>(i);
    }
    return -1;
}

}  // namespace legato::dfr
