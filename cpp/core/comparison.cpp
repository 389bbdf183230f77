#include "core/comparison.hpp"

#include <algorithm>

#include "core/ranks.hpp"
#include "core/state_header.hpp"

namespace legato {

void Comparison::add_rounding(bool own) {
    add("LEGATO_CPU_LEVEL (1: fused operations, 0: none; set it to baseline on every rank)", own);
}

void Comparison::require_same(const Context& context) const {
    if (context.ranks() == 1) return;
    std::vector<std::uint64_t> checksums;
    for (const Field& field : fields_)
        for (const std::span<const std::byte> part : {std::as_bytes(std::span(field.name)), field.bytes()}) {
            checksums.push_back(part.size());
            checksums.push_back(state_format::checksum(part));
        }
    const std::uint64_t mine = state_format::checksum(std::as_bytes(std::span(checksums)));
    const std::vector<std::uint64_t> all = gather_value(context, mine);
    if (std::all_of(all.begin(), all.end(), [&](std::uint64_t other) { return other == all[0]; })) return;
    for (const Field& field : fields_) compare(context, field);
    fail(Status::invalid_argument, "the arguments differ among the ranks of the communicator");
}

// Throws if the field differs from that of rank 0.
void Comparison::compare(const Context& context, const Field& field) const {
    const auto differ = [&](const std::string& name, const std::string& first, std::size_t rank,
                            const std::string& other) {
        fail(Status::invalid_argument, name, ": the ranks of the communicator differ: ", first, " on rank 0, ", other,
             " on rank ", rank);
    };
    const std::size_t count = field.bytes().size() / field.element;
    const std::vector<std::uint64_t> counts = gather_value(context, static_cast<std::uint64_t>(count));
    for (std::size_t rank = 0; rank < counts.size(); ++rank)
        if (counts[rank] != counts[0])
            differ(field.name, text(counts[0], " elements"), rank, text(counts[rank], " elements"));
    const std::vector<std::byte> all = gather_bytes(context, field.bytes());
    const std::size_t size = field.bytes().size();
    for (std::size_t rank = 1; rank < counts.size(); ++rank)
        for (std::size_t i = 0; i < count; ++i) {
            const std::byte* const first = all.data() + i * field.element;
            const std::byte* const other = first + rank * size;
            if (!std::equal(first, first + field.element, other))
                differ(field.is_list ? text(field.name, '[', i, ']') : field.name, field.print(first), rank,
                       field.print(other));
        }
}

}  // namespace legato
