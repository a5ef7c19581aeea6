// Starting crowds, and what goes into them and out of them. Agents' own blocks are read and written 64 at a time: as
// words of 64 bits, one for each agent, that are transposed to the words of 64 planes.
#include "core/check.h"
#include "select/column_code.h"

namespace espalier {
namespace {

constexpr std::uint32_t kGroupAgents = 64;
constexpr std::uint32_t kChangedBit = 32;  // above the leaf's number

using GroupWords = std::uint64_t[kGroupAgents];

// Bit j of word i and bit i of word j change places.
void transpose(GroupWords& words) {
  std::uint64_t mask = 0x00000000FFFFFFFF;
  for (std::uint32_t width = 32; width != 0; width /= 2, mask ^= mask << width) {
    for (std::uint32_t begin = 0; begin < kGroupAgents; begin += 2 * width) {
      for (std::uint32_t i = begin; i < begin + width; ++i) {
        const std::uint64_t difference = (words[i] >> width ^ words[i + width]) & mask;
        words[i] ^= difference << width;
        words[i + width] ^= difference;
      }
    }
  }
}

// Machines whose planes, which follow one another, are at most 64.
struct MachineRun {
  const ColumnMachine* begin;
  const ColumnMachine* end;
  std::uint32_t first_plane() const { return begin->first_plane; }
  std::uint32_t plane_count() const { return end[-1].first_plane + end[-1].plane_count - begin->first_plane; }
  std::uint32_t shift(const ColumnMachine& machine) const { return machine.first_plane - begin->first_plane; }
};

// Up to 64 agents side by side and the words of a crowd's block that are theirs.
class Group {
 public:
  Group(const espalier_columns& columns, std::uint64_t* words, const unsigned char* agents, std::size_t stride_bytes,
        std::size_t count)
      : columns_(columns),
        own_(columns.tree),
        words_(words),
        agents_(const_cast<unsigned char*>(agents)),
        stride_bytes_(stride_bytes),
        count_(count < kGroupAgents ? static_cast<std::uint32_t>(count) : kGroupAgents) {}

  void load() {
    for (std::uint32_t first = 0; first < columns_.changed_plane; first += kGroupAgents) {
      const std::uint32_t plane_count = variables_from(first);
      read([&](const unsigned char* agent) { return load_variables(agent, first, plane_count); });
      set_planes(first, plane_count, 0);
    }
    read([&](const unsigned char* agent) {
      const std::uint32_t leaf = own_.leaf(agent);
      return std::uint64_t{leaf < own_.leaf_count ? leaf : own_.leaf_count} |
             std::uint64_t{own_.needs_evaluation(agent)} << kChangedBit;
    });
    set_planes(columns_.leaf_plane, columns_.leaf_planes, 0);
    set_planes(columns_.changed_plane, 1, kChangedBit);
    for_each_run([&](const MachineRun& run) {
      read([&](const unsigned char* agent) {
        std::uint64_t row = 0;
        for (const ColumnMachine* machine = run.begin; machine != run.end; ++machine) {
          const std::uint64_t state = agent[machine->state_byte] & kStateMask;
          if (state < machine->state_count) row |= state << run.shift(*machine);
        }
        return row;
      });
      set_planes(run.first_plane(), run.plane_count(), 0);
    });
  }

  void store() {
    for (std::uint32_t first = 0; first < columns_.changed_plane; first += kGroupAgents) {
      const std::uint32_t plane_count = variables_from(first);
      get_planes(first, plane_count, 0);
      write([&](unsigned char* agent, std::uint64_t row) { store_variables(agent, first, plane_count, row); });
    }
    clear();
    get_planes(columns_.leaf_plane, columns_.leaf_planes, 0);
    get_planes(columns_.changed_plane, 1, kChangedBit);
    write([&](unsigned char* agent, std::uint64_t row) {
      const auto leaf = static_cast<std::uint32_t>(row);
      const bool has_leaf = leaf < own_.leaf_count;
      own_.set_leaf(agent, has_leaf ? leaf : own_.none);
      store_bit(agent, own_.changed_bit, has_leaf && (row >> kChangedBit) != 0);
    });
    for_each_run([&](const MachineRun& run) {
      clear();
      get_planes(run.first_plane(), run.plane_count(), 0);
      write([&](unsigned char* agent, std::uint64_t row) {
        for (const ColumnMachine* machine = run.begin; machine != run.end; ++machine) {
          unsigned char& byte = agent[machine->state_byte];
          const std::uint64_t state = row >> run.shift(*machine) & ((1u << machine->plane_count) - 1);
          byte = static_cast<unsigned char>((byte & ~kStateMask) | state);
        }
      });
    });
  }

 private:
  std::uint32_t variables_from(std::uint32_t first) const {
    const std::uint32_t rest = columns_.changed_plane - first;
    return rest < kGroupAgents ? rest : kGroupAgents;
  }

  static std::uint64_t load_variables(const unsigned char* agent, std::uint32_t first, std::uint32_t plane_count) {
    std::uint64_t row = load_word(agent, first / 32);
    if (plane_count > 32) row |= std::uint64_t{load_word(agent, first / 32 + 1)} << 32;
    return row;
  }
  static void store_variables(unsigned char* agent, std::uint32_t first, std::uint32_t plane_count, std::uint64_t row) {
    for (std::uint32_t begin = 0; begin < plane_count; begin += 32) {
      const std::uint32_t count = plane_count - begin;
      const std::uint32_t mask = count < 32 ? (std::uint32_t{1} << count) - 1 : ~std::uint32_t{0};
      const std::uint32_t word = (first + begin) / 32;
      const auto bits = static_cast<std::uint32_t>(row >> begin);
      store_word(agent, word, (load_word(agent, word) & ~mask) | (bits & mask));
    }
  }

  template <typename Do>
  void for_each_run(const Do& act) const {
    const ColumnCode& code = code_of(columns_);
    const ColumnMachine* const end = code.machines + code.machine_count;
    for (MachineRun run{code.machines, code.machines}; run.begin != end; run.begin = run.end) {
      run.end = run.begin + 1;
      while (run.end != end && run.shift(*run.end) + run.end->plane_count <= kGroupAgents) ++run.end;
      act(run);
    }
  }

  // Makes planes of one word for each agent.
  template <typename Read>
  void read(const Read& row) {
    for (std::uint32_t i = 0; i < count_; ++i) rows_[i] = row(agents_ + i * stride_bytes_);
    for (std::uint32_t i = count_; i < kGroupAgents; ++i) rows_[i] = 0;
    transpose(rows_);
  }
  void set_planes(std::uint32_t first, std::uint32_t plane_count, std::uint32_t row) const {
    const std::uint64_t mask = count_ == kGroupAgents ? ~std::uint64_t{0} : (std::uint64_t{1} << count_) - 1;
    for (std::uint32_t i = 0; i < plane_count; ++i) {
      std::uint64_t& word = words_[std::size_t{first + i} * ESPALIER_PLANE_WORDS];
      word = (word & ~mask) | (rows_[row + i] & mask);
    }
  }

  // Makes a word for each agent of planes.
  void clear() { std::memset(rows_, 0, sizeof rows_); }
  void get_planes(std::uint32_t first, std::uint32_t plane_count, std::uint32_t row) {
    for (std::uint32_t i = 0; i < plane_count; ++i) {
      rows_[row + i] = words_[std::size_t{first + i} * ESPALIER_PLANE_WORDS];
    }
  }
  template <typename Write>
  void write(const Write& row) {
    transpose(rows_);
    for (std::uint32_t i = 0; i < count_; ++i) row(agents_ + i * stride_bytes_, rows_[i]);
  }

  const espalier_columns& columns_;
  SelectBlock own_;
  std::uint64_t* words_;
  unsigned char* agents_;
  std::size_t stride_bytes_;
  std::uint32_t count_;
  GroupWords rows_;
};

template <typename Do>
void for_each_group(const espalier_columns& columns, const void* block, const void* agents, std::size_t stride_bytes,
                    std::size_t count, const Do& act) {
  auto* words = static_cast<std::uint64_t*>(const_cast<void*>(block));
  const auto* bytes = static_cast<const unsigned char*>(agents);
  for (std::size_t first = 0; first < count && first < ESPALIER_COLUMN_AGENTS; first += kGroupAgents) {
    Group group(columns, words + first / kGroupAgents, bytes + first * stride_bytes, stride_bytes, count - first);
    act(group);
  }
}

void load(const espalier_columns& columns, void* block, const void* agents, std::size_t stride_bytes,
          std::size_t count) {
  for_each_group(columns, block, agents, stride_bytes, count, [](Group& group) { group.load(); });
}

// One bit for each of 8 bytes: is it not 0?
std::uint64_t bits_of(const std::uint8_t* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  const std::uint64_t low = 0x7F7F7F7F7F7F7F7F;
  word = (((word & low) + low) | word) >> 7 & 0x0101010101010101;
  return word * 0x0102040810204080 >> 56;
}

// 8 bytes: byte i has bit i of each of 8 words' bytes.
std::uint64_t transpose_bytes(std::uint64_t x) {
  std::uint64_t difference = (x ^ x >> 7) & 0x00AA00AA00AA00AA;
  x ^= difference ^ difference << 7;
  difference = (x ^ x >> 14) & 0x0000CCCC0000CCCC;
  x ^= difference ^ difference << 14;
  difference = (x ^ x >> 28) & 0x00000000F0F0F0F0;
  return x ^ difference ^ difference << 28;
}

}  // namespace
}  // namespace espalier

using namespace espalier;

void espalier_load_columns(const espalier_columns* columns, void* block, const void* agents, size_t stride_bytes,
                           size_t count) {
  if (!Check(__func__).given(columns, "the columns are null").plane(block)) return;
  if (!Check(__func__).agents(columns->tree, agents, stride_bytes, count)) return;
  load(*columns, block, agents, stride_bytes, count);
}

void espalier_store_columns(const espalier_columns* columns, const void* block, void* agents, size_t stride_bytes,
                            size_t count) {
  if (!Check(__func__).given(columns, "the columns are null").plane(block)) return;
  if (!Check(__func__).agents(columns->tree, agents, stride_bytes, count)) return;
  for_each_group(*columns, block, agents, stride_bytes, count, [](Group& group) { group.store(); });
}

void espalier_start_columns(const espalier_columns* columns, void* blocks, size_t block_count) {
  if (!Check(__func__).given(columns, "the columns are null").plane(blocks)) return;
  std::memset(blocks, 0, block_count * columns->block_bytes);
  const Asset& asset = *columns->tree.asset;
  const std::uint32_t image = tree_record(columns->tree).image;
  if (image == layout::kNone) return;
  const unsigned char* const agent = array<unsigned char>(asset, layout::SectionId::images) + image;
  for (std::size_t i = 0; i < block_count; ++i) {
    void* const block = static_cast<unsigned char*>(blocks) + i * columns->block_bytes;
    load(*columns, block, agent, 0, ESPALIER_COLUMN_AGENTS);  // all are this one
  }
}

void espalier_set_column(const espalier_columns* columns, void* block, uint32_t variable, const uint8_t* bytes) {
  if (!Check(__func__).given(columns, "the columns are null").plane(block).given(bytes, "the bytes are null")) return;
  if (!Check(__func__).id(columns->tree, ESPALIER_VARIABLES, variable)) return;
  std::uint64_t* const plane = espalier_plane(block, variable);
  std::uint64_t* const changed = espalier_plane(block, columns->changed_plane);
  for (std::uint32_t i = 0; i < ESPALIER_PLANE_WORDS; ++i) {
    std::uint64_t word = 0;
    for (std::uint32_t byte = 0; byte < 8; ++byte)
      word |= bits_of(bytes + std::size_t{64} * i + std::size_t{8} * byte) << 8 * byte;
    changed[i] |= plane[i] ^ word;
    plane[i] = word;
  }
}

void espalier_column_leaves(const espalier_columns* columns, const void* block, uint16_t* leaves) {
  if (!Check(__func__).given(columns, "the columns are null").plane(block).given(leaves, "the leaves are null")) {
    return;
  }
  const auto* planes = static_cast<const unsigned char*>(block) + std::size_t{columns->leaf_plane} * kPlaneBytes;
  for (std::uint32_t first = 0; first < ESPALIER_COLUMN_AGENTS; first += 8) {
    std::uint64_t halves[2] = {};
    for (std::uint32_t bit = 0; bit < columns->leaf_planes; ++bit) {
      halves[bit / 8] |= std::uint64_t{planes[std::size_t{bit} * kPlaneBytes + first / 8]} << bit % 8 * 8;
    }
    for (std::uint64_t& half : halves) half = transpose_bytes(half);
    for (std::uint32_t i = 0; i < 8; ++i) {
      leaves[first + i] = static_cast<std::uint16_t>((halves[0] >> 8 * i & 0xFF) | (halves[1] >> 8 * i & 0xFF) << 8);
    }
  }
}
