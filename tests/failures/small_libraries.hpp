// Small libraries of basis sets. The installed ones are so large that reading them would take most calls of a scenario.
#pragma once

#include <cfenv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <locale>
#include <string>
#include <vector>

namespace legato::tests {

// Writes the file of a library into the folder of the scenario, where it is found before the installed one. Each
// element has one pool of well-tempered exponents. functions[l] of them, from the smallest on, belong to l.
struct SmallSet {
    int element = 0;
    std::vector<int> functions;
};
inline void write_small_library(const std::string& name, const std::vector<SmallSet>& sets) {
    ::setenv("LEGATO_BASIS_PATH", ".", 1);
    const int rounding = std::fegetround();  // the caller's must not change the exponents
    std::fesetround(FE_TONEAREST);
    std::ofstream file(name + ".json");
    file.imbue(std::locale::classic());  // the environment may have a decimal comma
    file << std::setprecision(17) << R"({"molssi_bse_schema": {"schema_type": "minimal", "schema_version": "0.1"},)"
         << R"("name": "small", "description": "", "version": "1", "role": "orbital", "function_types": ["gto"],)"
         << R"("elements": {)";
    for (const SmallSet& set : sets) {
        file << (&set == sets.data() ? "" : ",") << '"' << set.element << R"(": {"electron_shells": [)";
        for (std::size_t l = 0; l < set.functions.size(); ++l) {
            double zeta = 0.05;
            for (int k = 1; k <= set.functions[l]; ++k) {
                if (k > 1) zeta *= 2.1 * (k > 2 ? 1 + 1.5 * std::pow(double(k) / set.functions[0], 5.0) : 1.0);
                file << (l + static_cast<std::size_t>(k) > 1 ? "," : "")
                     << R"({"function_type": "gto", "region": "", "angular_momentum": [)" << l
                     << R"(], "exponents": [")" << zeta << R"("], "coefficients": [["1.0"]]})";
            }
        }
        file << "]}";
    }
    file << "}}";
    std::fesetround(rounding);
}

}  // namespace legato::tests
