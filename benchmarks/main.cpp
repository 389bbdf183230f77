// legato-bench <method> [options]: see the method's own --help.
#include <cstdio>
#include <cstring>

int tmm_benchmark(int argc, char** argv);

int main(int argc, char** argv) {
    if (argc >= 2 && std::strcmp(argv[1], "tmm") == 0) return tmm_benchmark(argc - 1, argv + 1);
    std::fputs("usage: legato-bench tmm [--json FILE] [--seconds S] [--quick]\n", stderr);
    return 2;
}
