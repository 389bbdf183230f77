#include "core/work_parts.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <numeric>
#include <optional>
#include <utility>

#include "core/thread.hpp"

namespace legato {

// The work of a part, and its thread.
struct WorkParts::Task {
    void (*body)(void*, std::size_t) = nullptr;
    void* work = nullptr;
    std::size_t part = 0;
    std::exception_ptr error = {};
    std::optional<Thread> thread = {};

    static void perform(void* task) {
        Task& me = *static_cast<Task*>(task);
        try {
            me.body(me.work, me.part);
        } catch (...) {
            me.error = std::current_exception();
        }
    }
    bool start() {
        try {
            return thread.emplace().start(perform, this);
        } catch (const std::bad_alloc&) {  // as good as no thread
            return false;
        }
    }
};

WorkParts::WorkParts(const Context& context, Backend backend)
    : context_(&context), rank_(static_cast<std::size_t>(context.rank())) {
    const std::vector<int> devices = context.parts_on(backend);
    ends_ = gather_value(context, devices.size());
    std::partial_sum(ends_.begin(), ends_.end(), ends_.begin());
    const int threads = std::max(1, context.threads() / static_cast<int>(devices.size()));
    for (std::size_t i = 0; i < devices.size(); ++i)
        contexts_.push_back(std::make_unique<Context>(context.for_part(devices[i], threads, i == 0)));
    tasks_ = std::make_unique<Task[]>(here());
}

WorkParts::WorkParts(WorkParts&& other) noexcept = default;
WorkParts::~WorkParts() = default;

WorkParts::Range WorkParts::range_of_rank(std::size_t items, std::size_t rank) const {
    return range_of_parts(items, rank == 0 ? 0 : ends_[rank - 1], ends_[rank]);
}

// If the system refuses a thread, its part is done by this one.
void WorkParts::run(void (*body)(void* work, std::size_t i), void* work) const {
    const std::span tasks(tasks_.get(), here());
    for (std::size_t i = 0; i < here(); ++i) {
        tasks[i].body = body;
        tasks[i].work = work;
        tasks[i].part = i;
        if (i > 0 && !tasks[i].start()) Task::perform(&tasks[i]);
    }
    Task::perform(&tasks[0]);
    std::exception_ptr first;
    for (Task& task : tasks) {
        task.thread.reset();  // waits for it
        if (const std::exception_ptr error = std::exchange(task.error, nullptr); error && !first) first = error;
    }
    if (first) std::rethrow_exception(first);
}

std::size_t parts_of_all(const Context& context, Backend backend) {
    const std::vector<std::size_t> parts = gather_value(context, context.parts_on(backend).size());
    return std::accumulate(parts.begin(), parts.end(), std::size_t{0});
}

}  // namespace legato
