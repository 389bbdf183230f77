#include "random/lfsr113.hpp"

namespace legato::random {
namespace {

using Matrix = std::array<std::uint32_t, 32>;  // column c is the image of bit c
using Matrices = std::array<Matrix, 4>;        // one matrix per word

std::uint32_t multiply(const Matrix& matrix, std::uint32_t bits) {
    std::uint32_t image = 0;
    for (std::size_t c = 0; c < 32; ++c)
        if (bits >> c & 1) image ^= matrix[c];
    return image;
}

Matrix multiply(const Matrix& left, const Matrix& right) {
    Matrix product;
    for (std::size_t c = 0; c < 32; ++c) product[c] = multiply(left, right[c]);
    return product;
}

Matrices one_step() {
    Matrices m;
    for (std::size_t c = 0; c < 32; ++c) {
        const std::uint32_t bit = 1u << c;
        Lfsr113 g{bit, bit, bit, bit};
        g.step();
        m[0][c] = g.z1;
        m[1][c] = g.z2;
        m[2][c] = g.z3;
        m[3][c] = g.z4;
    }
    return m;
}

Matrix power(Matrix base, std::uint64_t exponent) {
    Matrix result;
    for (std::size_t c = 0; c < 32; ++c) result[c] = 1u << c;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1) result = multiply(base, result);
        base = multiply(base, base);
    }
    return result;
}

}  // namespace

Lfsr113Leap::Lfsr113Leap(std::uint64_t steps) : tables_(table_size) {
    const Matrices step = one_step();
    for (std::size_t w = 0; w < 4; ++w) {
        const Matrix leap = power(step[w], steps);
        for (std::size_t byte = 0; byte < 4; ++byte)
            for (std::uint32_t value = 0; value < 256; ++value)
                tables_[(w * 4 + byte) * 256 + value] = multiply(leap, value << (8 * byte));
    }
}

}  // namespace legato::random
