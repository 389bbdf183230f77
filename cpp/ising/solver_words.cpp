// The words of a run: how its engine gets them, and where they go. If no rank has all of them, they are passed in
// pieces.
#include <algorithm>

#include "core/ranks.hpp"
#include "ising/packed_spins.hpp"
#include "ising/solver.hpp"

namespace legato::ising {

// Gives the engine a saved state, or the first one. Collective.
void Solver::load(State* known) {
    std::vector<std::uint32_t> words;
    if (known)
        words = known->pieces && sharing().keeps_words() ? read_pieces(*known->pieces) : std::move(known->words);
    else if (sharing().keeps_words())
        words = first_words(model_, context_.threads());
    if (!words.empty())
        engine_->load(words);
    else
        load_pieces(known);
    words_known_ = context_.ranks() > 1 && sharing().keeps_words();
    if (words_known_) known_words_ = std::move(words);
}

// The same for slabs, of which no rank has the whole state.
void Solver::load_pieces(const State* known) {
    const std::size_t all = model_.words(), length = known ? known->pieces->piece_length() : sharing().piece;
    std::vector<std::uint32_t> words;
    for (std::size_t first = 0; first < all; first += length) {
        const std::size_t count = std::min(length, all - first);
        if (known) {
            words = read_piece(*known->pieces, first / length);
        } else if (engine_->has_piece(first, count)) {
            words.resize(count);
            first_words(model_, first, words, context_.threads());
        } else {
            continue;
        }
        engine_->load_piece(first, words);
    }
}

// Throws if no rank has the whole state.
void Solver::require_words() const {
    if (!sharing().keeps_words())
        fail(Status::invalid_argument,
             "ising.spins: every rank has only a slab of the lattices, because their spins need ",
             model_.words() * sizeof(std::uint32_t), " bytes: save the run, and read them from the files");
}

const std::vector<std::uint32_t>& Solver::words() const {
    require_between_batches(within_batch_, run_name);
    require_words();
    if (context_.ranks() == 1) take_words();
    if (!words_known_)
        fail(Status::communication_error,
             "ising.spins: the spins are on other ranks, because an error has ended the last call that advanced them");
    return known_words_;
}

// Copies the words of all parts. Collective.
void Solver::take_words() const {
    if (words_known_) return;
    known_words_.resize(model_.words());
    engine_->store(known_words_);
    words_known_ = true;
}

void Solver::write_words(PiecedStateWriter& writer) const {
    const bool keeps = sharing().keeps_words();
    if (keeps) take_words();
    if (sharing().piece == 0) {
        writer.put("systems/words", words());
        return;
    }
    writer.put_pieces(
        "systems/words", model_.words(), sharing().piece, [&](std::size_t first, std::span<std::uint32_t> piece) {
            if (keeps)
                std::copy_n(words().begin() + static_cast<std::ptrdiff_t>(first), piece.size(), piece.begin());
            else
                engine_->store_piece(first, piece);
        });
}

// Rank 0 reads the piece, and passes it to the others.
std::vector<std::uint32_t> Solver::read_piece(const PieceReader& pieces, std::size_t number) const {
    std::vector<std::uint32_t> words;
    if (context_.rank() == 0) words = pieces.read(number);
    take_of_first_rank(context_, words);
    require_packed(pieces.index(), model_, number * pieces.piece_length(), words);
    return words;
}

std::vector<std::uint32_t> Solver::read_pieces(const PieceReader& pieces) const {
    std::vector<std::uint32_t> words(model_.words());
    for (auto to = words.begin(); to != words.end();) {
        const auto done = static_cast<std::size_t>(to - words.begin());
        const std::vector<std::uint32_t> piece = read_piece(pieces, done / pieces.piece_length());
        to = std::copy(piece.begin(), piece.end(), to);
    }
    return words;
}

}  // namespace legato::ising
