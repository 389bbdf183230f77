// Tests what teams of threads do, also if the host program or the system does what teams do not expect. The linker puts
// the function below in place of pthread_create.
#define BOOST_TEST_MODULE parallel
#include "core/parallel.hpp"

#include <fenv.h>
#include <omp.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/oversubscription.hpp"

using namespace legato;

namespace {

std::atomic<int> threads_left = std::numeric_limits<int>::max();  // number of threads that the system still grants

}  // namespace

extern "C" {
int __real_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument);
int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument) {
    return threads_left-- > 0 ? __real_pthread_create(thread, attributes, start, argument) : EAGAIN;
}
}

namespace {

// Returns the ranks of a team, and 1000 plus its size as seen by the leader, so that a missing thread is noticed.
std::vector<std::size_t> ranks_of_a_team(int threads) {
    std::vector<std::size_t> ranks;
    std::mutex mutex;
    oversubscription::reset();
    in_team(threads, [&](const Team& team) {
        const std::lock_guard lock(mutex);
        ranks.push_back(team.rank);
        if (team.leads()) ranks.push_back(1000 + team.size);
    });
    std::sort(ranks.begin(), ranks.end());
    return ranks;
}

std::vector<std::size_t> full_team(std::size_t size) {
    std::vector<std::size_t> ranks(size + 1, 1000 + size);
    for (std::size_t i = 0; i < size; ++i) ranks[i] = i;
    return ranks;
}

// Every thread checks at every barrier that all others have stored their numbers. Returns the number of errors, 0 if no
// thread has passed a barrier too early.
std::int64_t errors_of_many_barriers(int threads, int barriers) {
    std::vector<std::int64_t> values(static_cast<std::size_t>(threads), 0);
    std::atomic<std::int64_t> errors = 0;
    in_team(threads, [&](const Team& team) {
        for (int i = 1; i <= barriers; ++i) {
            values[team.rank] = i;
            team.wait();
            for (std::size_t other = 0; other < team.size; ++other) errors += values[other] != i;
            team.wait();
        }
    });
    return errors;
}

// Returns the result of work() in a child process, which must end within 10 s.
template <class Work>
int in_a_child(Work&& work) {
    const pid_t child = fork();
    BOOST_REQUIRE(child >= 0);
    if (child == 0) {
        alarm(10);
        _exit(work());
    }
    int status = 0;
    BOOST_REQUIRE(waitpid(child, &status, 0) == child);
    BOOST_REQUIRE_MESSAGE(WIFEXITED(status), "signal " << WTERMSIG(status) << " has ended the child");
    return WEXITSTATUS(status);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_thread_of_a_team_takes_part) {
    for (const int threads : {1, 2, 3, 8, 33})
        for (int i = 0; i < 200; ++i)
            BOOST_REQUIRE(ranks_of_a_team(threads) == full_team(static_cast<std::size_t>(threads)));
}

BOOST_AUTO_TEST_CASE(nobody_passes_a_barrier_early) {
    for (const int threads : {1, 2, 3, 8}) BOOST_TEST(errors_of_many_barriers(threads, 300) == 0);
}

BOOST_AUTO_TEST_CASE(shares_are_all_pieces_in_order) {
    for (const std::size_t count : {0, 1, 5, 8, 1000})
        for (const std::size_t size : {1, 2, 3, 8}) {
            std::size_t end = 0;
            for (std::size_t rank = 0; rank < size; ++rank) {
                const auto [first, last] = Team{size, rank}.share(count);
                BOOST_TEST(first == end);
                BOOST_TEST(last - first <= count / size + 1);
                end = last;
            }
            BOOST_TEST(end == count);
        }
}

BOOST_AUTO_TEST_CASE(every_piece_is_done_once) {
    for (const std::size_t count : {0, 1, 2, 7, 1000})
        for (const int threads : {1, 2, 5}) {
            std::vector<std::atomic<int>> done(count);
            in_parallel(count, threads, [&](std::size_t i) { ++done[i]; });
            BOOST_TEST(std::all_of(done.begin(), done.end(), [](const auto& times) { return times == 1; }));
        }
}

BOOST_AUTO_TEST_CASE(an_exception_comes_out_and_what_has_not_begun_is_left_out) {
    std::atomic<int> begun = 0;
    const auto work = [&](std::size_t i) {
        ++begun;
        if (i == 3) throw std::runtime_error("piece 3");
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    BOOST_CHECK_EXCEPTION(in_parallel(100000, 3, work), std::runtime_error,
                          [](const std::runtime_error& error) { return error.what() == std::string("piece 3"); });
    BOOST_TEST(begun < 1000);
    BOOST_TEST((ranks_of_a_team(3) == full_team(3)));
}

BOOST_AUTO_TEST_CASE(a_team_within_a_team_is_one_thread) {
    std::atomic<int> alone = 0;
    oversubscription::reset();
    in_team(3, [&](const Team&) { in_team(3, [&](const Team& inner) { alone += inner.size == 1; }); });
    BOOST_TEST(alone == 3);
}

BOOST_AUTO_TEST_CASE(within_a_region_of_openmp_the_program_decides) {
    for (const int levels : {1, 2}) {
        omp_set_max_active_levels(levels);
        std::atomic<int> full = 0, alone = 0;
#pragma omp parallel num_threads(2)
        {
            oversubscription::reset();
            in_team(3, [&](const Team& team) {
                if (!team.leads()) return;
                full += team.size == 3;
                alone += team.size == 1;
            });
        }
        BOOST_TEST(alone == (levels == 1 ? 2 : 0));
        BOOST_TEST(full == (levels == 1 ? 0 : 2));
    }
    omp_set_max_active_levels(1);
}

namespace {

using std::chrono::microseconds;

// Sleeping threads do not work when they could, as if other programs had taken their processors.
void sleep_for(microseconds time) {
    std::this_thread::sleep_for(time);
}
void work_for(microseconds time) {
    for (const auto end = std::chrono::steady_clock::now() + time; std::chrono::steady_clock::now() < end;) continue;
}

std::size_t size_of_a_team(int threads, void (*pass)(microseconds), microseconds time) {
    std::size_t size = 0;
    in_team(threads, [&](const Team& team) {
        if (team.leads()) size = team.size;
        pass(time);
    });
    return size;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_team_is_smaller_while_processors_are_taken) {
    // Long calls are judged one by one, short ones together.
    for (const microseconds time : {microseconds(5000), microseconds(100)}) {
        oversubscription::reset();
        for (int i = 0; i < 50; ++i) size_of_a_team(2, sleep_for, time);
        BOOST_TEST(size_of_a_team(2, work_for, microseconds(1)) == 1U);
        const auto last = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        std::size_t size = 1;
        while (size < 2 && std::chrono::steady_clock::now() < last)
            size = size_of_a_team(2, work_for, microseconds(200));
        BOOST_TEST(size == 2U);
    }
    oversubscription::reset();
}

BOOST_AUTO_TEST_CASE(a_thread_that_is_late_in_many_short_calls_is_left_out) {
    oversubscription::reset();
    std::size_t least = 4;
    for (int i = 0; i < 50; ++i)
        in_team(4, [&](const Team& team) {
            if (team.leads()) least = std::min(least, team.size);
            const microseconds time(1200);
            team.rank == 3 ? sleep_for(time) : work_for(time);
        });
    BOOST_TEST(least < 4U);
    oversubscription::reset();
}

namespace {

std::atomic<bool> has_changed = false;

// Keeps the thread from its work after the value that it waits for has changed.
void keep_busy(int) {
    const timespec a_millisecond{0, 1000000};
    while (!has_changed) nanosleep(&a_millisecond, nullptr);
    for (int i = 0; i < 50; ++i) nanosleep(&a_millisecond, nullptr);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_late_awakening_is_not_part_of_the_sleep) {
    std::signal(SIGUSR2, keep_busy);
    Signal value;
    std::atomic<bool> ready = false;
    double slept = 0, took = 0;
    std::thread sleeper([&] {
        const RunClock clock;
        ready = true;
        slept = value.sleep_while(0);
        took = clock.seconds();
    });
    while (!ready) std::this_thread::yield();
    sleep_for(microseconds(10000));
    pthread_kill(sleeper.native_handle(), SIGUSR2);
    value.set(1);
    has_changed = true;
    sleeper.join();
    std::signal(SIGUSR2, SIG_DFL);
    BOOST_TEST(value.value() == 1);
    BOOST_TEST(slept < took - 0.045);
    BOOST_TEST(value.sleep_while(0) == 0);
}

// All items are done once and in order, by teams of any size.
BOOST_AUTO_TEST_CASE(rounds) {
    for (const std::int64_t count : {0, 1, 2, 1000, 100000}) {
        std::vector<int> done(static_cast<std::size_t>(count), 0);
        std::int64_t next = 0, ranges = 0;
        in_rounds(count, 3, [&](const Team& team, std::int64_t first, std::int64_t last) {
            if (!team.leads()) return;
            ranges += first == next && first < last;
            next = last;
            for (std::int64_t i = first; i < last; ++i) ++done[static_cast<std::size_t>(i)];
        });
        BOOST_TEST(next == count);
        BOOST_TEST(std::count(done.begin(), done.end(), 1) == count);
        BOOST_TEST(ranges >= std::min<std::int64_t>(count, 1));
    }
}

BOOST_AUTO_TEST_CASE(by_default_there_is_at_most_one_thread_for_each_processor) {
    const int before = omp_get_max_threads();
    omp_set_num_threads(1);
    BOOST_TEST(default_threads() == 1);
    omp_set_num_threads(100000);
    BOOST_TEST(default_threads() == omp_get_num_procs());
    omp_set_num_threads(before);
}

BOOST_AUTO_TEST_CASE(a_team_is_smaller_where_threads_are_refused) {
    for (const int had : {0, 1, 5}) {
        parallel::end_resting_threads();
        threads_left = had;
        BOOST_TEST((ranks_of_a_team(8) == full_team(static_cast<std::size_t>(had) + 1)));
        std::atomic<int> done = 0;
        in_parallel(1000, 8, [&](std::size_t) { ++done; });
        BOOST_TEST(done == 1000);
        threads_left = std::numeric_limits<int>::max();
        BOOST_TEST((ranks_of_a_team(8) == full_team(8)));
    }
}

BOOST_AUTO_TEST_CASE(a_child_of_fork_has_threads_of_its_own) {
    BOOST_TEST((ranks_of_a_team(4) == full_team(4)));
    for (int i = 0; i < 20; ++i) {
        const auto child = [] {
            const auto grandchild = [] { return ranks_of_a_team(3) == full_team(3) ? 7 : 1; };
            return ranks_of_a_team(4) == full_team(4) && errors_of_many_barriers(4, 10) == 0 ? in_a_child(grandchild)
                                                                                             : 1;
        };
        BOOST_TEST(in_a_child(child) == 7);
    }
    BOOST_TEST((ranks_of_a_team(4) == full_team(4)));
}

#ifndef __SANITIZE_ADDRESS__  // a child may find the sanitizer's own locks taken
// Another thread may be borrowing workers, or working with them, when the process forks.
BOOST_AUTO_TEST_CASE(a_child_does_not_miss_what_other_threads_were_doing) {
    std::atomic<bool> stop = false;
    std::vector<std::thread> hosts;
    for (int i = 0; i < 2; ++i)
        hosts.emplace_back([&] {
            while (!stop) in_team(2, [](const Team& team) { team.wait(); });
        });
    for (int i = 0; i < 50; ++i) BOOST_TEST(in_a_child([] { return ranks_of_a_team(3) == full_team(3) ? 7 : 1; }) == 7);
    stop = true;
    for (std::thread& host : hosts) host.join();
}
#endif

BOOST_AUTO_TEST_CASE(several_hosts_have_teams_at_the_same_time) {
    std::atomic<int> wrong = 0;
    std::vector<std::thread> hosts;
    for (int i = 0; i < 6; ++i)
        hosts.emplace_back([&] {
            for (int j = 0; j < 50; ++j) wrong += errors_of_many_barriers(3, 3) != 0;
        });
    for (std::thread& host : hosts) host.join();
    BOOST_TEST(wrong == 0);
}

// The host program has enabled traps and set its own rounding mode.
BOOST_AUTO_TEST_CASE(workers_have_the_default_floating_point_environment) {
    oversubscription::reset();
    parallel::end_resting_threads();
    fenv_t before;
    fegetenv(&before);
    feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
    fesetround(FE_UPWARD);
    std::atomic<int> sound = 0;
    in_team(4, [&](const Team& team) {
        if (team.leads()) return;
        const volatile double zero = 0, three = 3;
        sound += std::isinf(1 / zero) && 1 / three == 1.0 / 3 && fegetexcept() == 0 && fegetround() == FE_TONEAREST;
    });
    fesetenv(&before);
    BOOST_TEST(sound == 3);
}

namespace {

std::atomic<int> handled = 0, handled_by_workers = 0;
thread_local bool is_worker = false;

void handle(int) {
    ++handled;
    if (is_worker) ++handled_by_workers;
}

}  // namespace

BOOST_AUTO_TEST_CASE(signals_are_for_the_host) {
    std::signal(SIGUSR1, handle);
    in_team(4, [](const Team& team) {
        is_worker = !team.leads();
        for (int i = 0; i < 100; ++i) {
            team.wait();
            kill(getpid(), SIGUSR1);
        }
    });
    std::signal(SIGUSR1, SIG_DFL);
    BOOST_TEST(handled > 0);
    BOOST_TEST(handled_by_workers == 0);
}
