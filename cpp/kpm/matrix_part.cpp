#include "kpm/matrix_part.hpp"

#include <algorithm>
#include <limits>

#include "core/parallel.hpp"

namespace legato::kpm {
namespace {

// Returns the columns outside the slab's own rows that its rows contain, in ascending order.
std::vector<std::int32_t> halo_of(const CrsView& matrix, const Slabs& slabs, std::size_t slab) {
    const std::size_t first = slabs.first_site(slab), end = first + slabs.sites(slab);
    std::vector<bool> needed(static_cast<std::size_t>(matrix.rows));
    for (std::size_t k = matrix.begin(first); k < matrix.begin(end); ++k)
        needed[static_cast<std::size_t>(matrix.column(k))] = true;
    std::vector<std::int32_t> halo;
    for (std::size_t column = 0; column < needed.size(); ++column)
        if (needed[column] && (column < first || column >= end)) halo.push_back(static_cast<std::int32_t>(column));
    return halo;
}

// Returns the part of a halo that belongs to a slab.
std::span<const std::int32_t> within(const std::vector<std::int32_t>& halo, const Slabs& slabs, std::size_t slab) {
    const std::size_t first = slabs.first_site(slab);
    const auto begin = std::lower_bound(halo.begin(), halo.end(), static_cast<std::int32_t>(first)),
               end = std::lower_bound(begin, halo.end(), static_cast<std::int32_t>(first + slabs.sites(slab)));
    return {halo.data() + (begin - halo.begin()), static_cast<std::size_t>(end - begin)};
}

std::vector<std::vector<std::int32_t>> halos_of(const CrsView& matrix, const Slabs& slabs, int threads) {
    std::vector<std::vector<std::int32_t>> halos(slabs.count());
    in_parallel(slabs.count(), threads, [&](std::size_t slab) { halos[slab] = halo_of(matrix, slabs, slab); });
    return halos;
}

// Copies the rows of a slab. `halo` are the columns of other slabs.
CrsMatrix rows_of(const CrsView& matrix, const Slabs& slabs, std::size_t slab, const std::vector<std::int32_t>& halo,
                  int threads) {
    const std::size_t first = slabs.first_site(slab), count = slabs.sites(slab), begin = matrix.begin(first);
    CrsMatrix rows;
    rows.row_pointers = Pages<std::int64_t>(count + 1);
    rows.columns = Pages<std::int32_t>(matrix.begin(first + count) - begin);
    rows.values = Pages<double>(rows.columns.size() * matrix.lanes());
    rows.is_complex = matrix.is_complex;
    rows.longest_row = matrix.longest_row;
    const auto local = [&](std::size_t k) {
        const auto column = static_cast<std::size_t>(matrix.column(k));
        if (column >= first && column < first + count) return column - first;
        const auto at = std::lower_bound(halo.begin(), halo.end(), static_cast<std::int32_t>(column));
        return count + static_cast<std::size_t>(at - halo.begin());
    };
    in_team(threads, [&](const Team& team) {
        const auto [from, to] = team.share(count);
        for (std::size_t row = from; row < to; ++row) {
            rows.row_pointers[row] = static_cast<std::int64_t>(matrix.begin(first + row) - begin);
            const std::size_t from_row = matrix.begin(first + row), to_row = matrix.end(first + row);
            for (std::size_t k = from_row; k < to_row; ++k)
                rows.columns[k - begin] = static_cast<std::int32_t>(local(k));
            std::copy(matrix.values + from_row * matrix.lanes(), matrix.values + to_row * matrix.lanes(),
                      rows.values.data() + (from_row - begin) * matrix.lanes());
        }
    });
    rows.row_pointers[count] = static_cast<std::int64_t>(rows.columns.size());
    return rows;
}

}  // namespace

std::size_t MatrixPart::sent() const {
    std::size_t sum = 0;
    for (const Link& link : links) sum += link.sent.size();
    return sum;
}

MatrixPart part_of(const CrsView& matrix, const Slabs& slabs, std::size_t slab, int threads) {
    const std::vector<std::vector<std::int32_t>> halos = halos_of(matrix, slabs, threads);
    MatrixPart part;
    part.rows = rows_of(matrix, slabs, slab, halos[slab], threads);
    part.first = slabs.first_site(slab);
    part.disorder = matrix.disorder;
    part.halo = halos[slab].size();
    part.links.resize(slabs.count());
    for (std::size_t other = 0; other < slabs.count(); ++other) {
        MatrixPart::Link& link = part.links[other];
        const auto received = within(halos[slab], slabs, other);
        link.first = static_cast<std::size_t>(received.data() - halos[slab].data());
        link.count = received.size();
        for (const std::int32_t row : within(halos[other], slabs, slab))
            link.sent.push_back(row - static_cast<std::int32_t>(part.first));
    }
    return part;
}

Traffic largest_traffic(const CrsView& matrix, const Slabs& slabs, int threads) {
    const std::vector<std::vector<std::int32_t>> halos = halos_of(matrix, slabs, threads);
    Traffic largest;
    for (std::size_t slab = 0; slab < slabs.count(); ++slab) {
        std::size_t sent = 0;
        for (const auto& halo : halos) sent += within(halo, slabs, slab).size();
        largest.halo = std::max(largest.halo, halos[slab].size());
        largest.sent = std::max(largest.sent, sent);
    }
    return largest;
}

}  // namespace legato::kpm
