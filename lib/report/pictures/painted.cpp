// SVG to PNG and PDF. See painted.h.
#include "report/pictures/painted.h"

#ifdef ESPALIER_HAS_RSVG
#include <cairo-pdf.h>
#include <cairo.h>
#include <librsvg/rsvg.h>

#include <algorithm>
#include <cmath>

#include "system/dynamic_library.h"
#endif

namespace espalier::report {

#ifdef ESPALIER_HAS_RSVG
namespace {

constexpr double kPointsOfPixel = 0.75;  // 96 pixels and 72 points an inch
constexpr double kPageMargin = 28;       // points
constexpr double kMostPixels = 32'000;   // of a side
constexpr double kPageWidth = 842;       // A4, points
constexpr double kPageHeight = 595;

// A function of librsvg, or of a library that it needs. They are opened when something is painted: they are many, and
// no other verb should wait for them.
template <typename Function>
Function* found(const char* name) {
  return reinterpret_cast<Function*>(system::find_function("librsvg-2.so.2", name));
}

cairo_status_t append(void* bytes, const unsigned char* data, unsigned int size) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), size);
  return CAIRO_STATUS_SUCCESS;
}

// A picture that can be rendered, and where.
class Painter {
 public:
  explicit Painter(std::string_view svg) {
    const auto* const data = reinterpret_cast<const unsigned char*>(svg.data());
    handle_ = found<decltype(rsvg_handle_new_from_data)>("rsvg_handle_new_from_data")(data, svg.size(), nullptr);
    if (handle_ == nullptr) return;
    found<decltype(rsvg_handle_get_intrinsic_size_in_pixels)>("rsvg_handle_get_intrinsic_size_in_pixels")(
        handle_, &width_, &height_);
  }
  ~Painter() {
    if (context_ != nullptr) found<decltype(cairo_destroy)>("cairo_destroy")(context_);
    if (surface_ != nullptr) found<decltype(cairo_surface_destroy)>("cairo_surface_destroy")(surface_);
    if (handle_ != nullptr) found<decltype(g_object_unref)>("g_object_unref")(handle_);
  }
  Painter(const Painter&) = delete;
  Painter& operator=(const Painter&) = delete;

  bool paint_pixels(std::string& bytes) {
    if (width_ <= 0 || height_ <= 0) return false;
    const double scale = std::min(2.0, kMostPixels / std::max(width_, height_));
    const auto size = [&](double length) { return static_cast<int>(std::ceil(length * scale)); };
    begin(found<decltype(cairo_image_surface_create)>("cairo_image_surface_create")(CAIRO_FORMAT_ARGB32, size(width_),
                                                                                    size(height_)));
    found<decltype(cairo_scale)>("cairo_scale")(context_, scale, scale);
    const auto write = found<decltype(cairo_surface_write_to_png_stream)>("cairo_surface_write_to_png_stream");
    return render() && write(surface_, append, &bytes) == CAIRO_STATUS_SUCCESS;
  }

  // Of many pages each shows its part of the picture.
  bool paint_pages(bool is_one, std::string& bytes) {
    if (width_ <= 0 || height_ <= 0) return false;
    const double width = width_ * kPointsOfPixel;
    const double height = height_ * kPointsOfPixel;
    const double part_width = kPageWidth - 2 * kPageMargin;
    const double part_height = kPageHeight - 2 * kPageMargin;
    begin(found<decltype(cairo_pdf_surface_create_for_stream)>("cairo_pdf_surface_create_for_stream")(
        append, &bytes, is_one ? width : kPageWidth, is_one ? height : kPageHeight));
    const double columns = is_one ? 1 : std::ceil(width / part_width);
    const double rows = is_one ? 1 : std::ceil(height / part_height);
    for (double row = 0; row < rows; ++row) {
      for (double column = 0; column < columns; ++column) {
        found<decltype(cairo_save)>("cairo_save")(context_);
        if (!is_one) {
          found<decltype(cairo_rectangle)>("cairo_rectangle")(context_, kPageMargin, kPageMargin, part_width,
                                                              part_height);
          found<decltype(cairo_clip)>("cairo_clip")(context_);
          found<decltype(cairo_translate)>("cairo_translate")(context_, kPageMargin - column * part_width,
                                                              kPageMargin - row * part_height);
        }
        found<decltype(cairo_scale)>("cairo_scale")(context_, kPointsOfPixel, kPointsOfPixel);
        if (!render()) return false;
        found<decltype(cairo_restore)>("cairo_restore")(context_);
        found<decltype(cairo_show_page)>("cairo_show_page")(context_);
      }
    }
    found<decltype(cairo_surface_finish)>("cairo_surface_finish")(surface_);
    return true;
  }

 private:
  void begin(cairo_surface_t* surface) {
    surface_ = surface;
    context_ = found<decltype(cairo_create)>("cairo_create")(surface);
  }
  bool render() const {
    const RsvgRectangle area = {0, 0, width_, height_};
    return found<decltype(rsvg_handle_render_document)>("rsvg_handle_render_document")(handle_, context_, &area,
                                                                                       nullptr) != 0;
  }

  RsvgHandle* handle_ = nullptr;
  cairo_surface_t* surface_ = nullptr;
  cairo_t* context_ = nullptr;
  double width_ = 0;  // pixels
  double height_ = 0;
};

}  // namespace

bool can_paint() {
  return found<decltype(rsvg_handle_get_intrinsic_size_in_pixels)>("rsvg_handle_get_intrinsic_size_in_pixels") !=
         nullptr;
}

std::string painted(std::string_view svg, Paper paper) {
  std::string bytes;
  Painter painter(svg);
  const bool is_painted =
      paper == Paper::png ? painter.paint_pixels(bytes) : painter.paint_pages(paper == Paper::one_page, bytes);
  return is_painted ? bytes : std::string();
}

#else

bool can_paint() { return false; }

std::string painted(std::string_view /*svg*/, Paper /*paper*/) { return {}; }

#endif

}  // namespace espalier::report
