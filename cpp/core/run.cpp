#include "core/run.hpp"

#include <cstddef>
#include <vector>

namespace legato {

void require_same_place(const Context& context, std::string_view run, std::string_view call,
                        const std::array<std::int64_t, 2>& place) {
    const std::vector<std::array<std::int64_t, 2>> all = gather_value(context, place);
    for (std::size_t rank = 1; rank < all.size(); ++rank)
        if (all[rank] != all[0])
            fail(Status::numerical_error, run, ".", call,
                 ": an error has ended an earlier call at different places: ", "rank 0 has finished ", all[0][0],
                 " points and ", all[0][1], " cycles, rank ", rank, " ", all[rank][0], " and ", all[rank][1],
                 "; the run can neither be continued nor saved, but a saved file can be resumed");
}

StateReader open_state(const Context& context, const std::filesystem::path& path, const std::string& method,
                       std::int64_t newest_schema) {
    std::vector<std::byte> bytes;
    std::string label = path.string();
    if (context.rank() == 0) bytes = load_state(path, method, newest_schema);
    take_of_first_rank(context, bytes);
    take_of_first_rank(context, label);
    return StateReader(std::move(bytes), std::move(label), method, newest_schema);
}

}  // namespace legato
