#include "core/work_parts.hpp"

#include <algorithm>
#include <exception>
#include <numeric>

#include "core/thread.hpp"

namespace legato {

WorkParts::WorkParts(const Context& context, Backend backend)
    : context_(&context), rank_(static_cast<std::size_t>(context.rank())) {
    const std::vector<int> devices = context.parts_on(backend);
    ends_ = gather_value(context, devices.size());
    std::partial_sum(ends_.begin(), ends_.end(), ends_.begin());
    const int threads = std::max(1, context.threads() / static_cast<int>(devices.size()));
    for (std::size_t i = 0; i < devices.size(); ++i)
        contexts_.push_back(std::make_unique<Context>(context.for_part(devices[i], threads, i == 0)));
}

WorkParts::Range WorkParts::range_of_rank(std::size_t items, std::size_t rank) const {
    return range_of_parts(items, rank == 0 ? 0 : ends_[rank - 1], ends_[rank]);
}

// If the system refuses a thread, its part is done by this one.
void WorkParts::run(void (*body)(void* work, std::size_t i), void* work) const {
    struct Task {
        void (*body)(void*, std::size_t);
        void* work;
        std::size_t part;
        std::exception_ptr error;
    };
    const auto perform = [](void* argument) {
        auto& task = *static_cast<Task*>(argument);
        try {
            task.body(task.work, task.part);
        } catch (...) {
            task.error = std::current_exception();
        }
    };
    std::vector<Task> tasks;
    for (std::size_t i = 0; i < here(); ++i) tasks.push_back({body, work, i, {}});
    {
        std::vector<Thread> threads(here() - 1);  // their destructors wait for them
        for (std::size_t i = 1; i < here(); ++i)
            if (!threads[i - 1].start(perform, &tasks[i])) perform(&tasks[i]);
        perform(&tasks[0]);
    }
    for (const Task& task : tasks)
        if (task.error) std::rethrow_exception(task.error);
}

}  // namespace legato
