# Turns a text file into a C++ file that holds its bytes. Run as a script:
#
#   cmake -D input=<file> -D output=<file.cc> -D name=<variable> -D room=<room> -P embed.cmake
#
# defines const std::string_view keyhole::<room>::assets::<name>. A sourceMappingURL comment is cut:
# a browser with its tools open would fetch it. An array of numbers, unlike a long string literal,
# is within what every compiler must take.
file(READ ${input} bytes HEX)
string(HEX "//# sourceMappingURL=" slash_comment)
string(HEX "/*# sourceMappingURL=" star_comment)
foreach(comment ${slash_comment} ${star_comment})
  string(FIND "${bytes}" "${comment}" begin REVERSE)
  if(NOT begin EQUAL -1)
    string(SUBSTRING "${bytes}" 0 ${begin} bytes)
  endif()
endforeach()
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${output} "#include \"${room}/assets.h\"

namespace keyhole::${room}::assets {
namespace {

const unsigned char bytes[] = {
${bytes}
};

}  // namespace

const std::string_view ${name}(reinterpret_cast<const char*>(bytes), sizeof bytes);

}  // namespace keyhole::${room}::assets
")
