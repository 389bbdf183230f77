// legato-bench <method> [options]: see the method's own --help.
#include <cstdio>
#include <cstring>

int dfr_benchmark(int argc, char** argv);
int ising_benchmark(int argc, char** argv);
int kpm_benchmark(int argc, char** argv);
int tmm_benchmark(int argc, char** argv);
int vmc_benchmark(int argc, char** argv);

int main(int argc, char** argv) {
    if (argc >= 2 && std::strcmp(argv[1], "tmm") == 0) return tmm_benchmark(argc - 1, argv + 1);
    if (argc >= 2 && std::strcmp(argv[1], "dfr") == 0) return dfr_benchmark(argc - 1, argv + 1);
    if (argc >= 2 && std::strcmp(argv[1], "ising") == 0) return ising_benchmark(argc - 1, argv + 1);
    if (argc >= 2 && std::strcmp(argv[1], "kpm") == 0) return kpm_benchmark(argc - 1, argv + 1);
    if (argc >= 2 && std::strcmp(argv[1], "vmc") == 0) return vmc_benchmark(argc - 1, argv + 1);
    std::fputs(
        "usage: legato-bench dfr [--json FILE] [--inputs FOLDER]\n"
        "       legato-bench ising [--json FILE] [--quick]\n"
        "       legato-bench kpm [--json FILE] [--quick]\n"
        "       legato-bench tmm [--json FILE] [--seconds S] [--quick]\n"
        "       legato-bench vmc [--json FILE] [--quick]\n",
        stderr);
    return 2;
}
