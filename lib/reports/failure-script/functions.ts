/** Shell functions of the scripts that repeat failures. They need a POSIX shell, awk, and curl. */

const EXIT_STATUS = '1 while the server deviates, 0 when it conforms, 2 if that cannot be found out'

/** Line of each script, by which an earlier one is recognized. */
export const SCRIPT_MARK = `# Needs curl. Exit status: ${EXIT_STATUS}.`

export const scriptStart = [
  SCRIPT_MARK,
  'set -u',
  'LC_ALL=C',
  'export LC_ALL',
  `say() { printf '%s\\n' "$*" | tr -d '\\000-\\010\\013-\\037\\177'; }`,
  'stop() {',
  '  say "cannot be found out: $*" >&2',
  '  exit 2',
  '}',
]

/** Prints `=` and the value at a JSON pointer, without white space between its parts; nothing if it is missing. */
const json = String.raw`json() {
  pointer=$1 awk '
    function next_token() {
      sub(/^[ \t\r\n]+/, "", text)
      if (!match(text, /^"([^"\\]|\\.)*"/) && !match(text, /^[^][{}",: \t\r\n]+/)) match(text, /^./)
      token = RLENGTH > 0 ? substr(text, 1, RLENGTH) : ""
      text = RLENGTH > 0 ? substr(text, RLENGTH + 1) : ""
    }
    function value(path,   whole, last, name, index_) {
      whole = token
      if (token == "{" || token == "[") {
        last = token == "{" ? "}" : "]"
        next_token()
        while (token != last && token != "") {
          if (token == ",") { whole = whole ","; next_token(); continue }
          name = index_++
          if (last == "}") {
            name = substr(token, 2, length(token) - 2)
            gsub(/~/, "~0", name); gsub(/\//, "~1", name)
            whole = whole token ":"
            next_token(); next_token()
          }
          whole = whole value(path "/" name)
        }
        if (token == "") exit
        whole = whole token
      }
      if (path == ENVIRON["pointer"]) found = "=" whole
      next_token()
      return whole
    }
    { text = text $0 "\n" }
    END {
      next_token()
      if (token != "") value("")
      gsub(/\\u003[cC]/, "<", found); gsub(/\\u003[eE]/, ">", found)
      gsub(/\\u0026/, "\\&", found); gsub(/\\u0027/, sprintf("%c", 39), found); gsub(/\\\//, "/", found)
      if (found != "") print found
    }' "$work/body"
}`

/** Prints `=` and the value of a header field, with its lines joined by commas; nothing if it is missing. */
const header = String.raw`header() {
  name=$1 awk '
    { sub(/\r$/, "") }
    /^HTTP\// { found = "" }
    tolower(substr($0, 1, length(ENVIRON["name"]) + 1)) == tolower(ENVIRON["name"]) ":" {
      value = substr($0, length(ENVIRON["name"]) + 2)
      gsub(/^[ \t]+|[ \t]+$/, "", value)
      found = found == "" ? "=" value : found ", " value
    }
    END { if (found != "") print found }' "$work/headers"
}`

const body = `body() { [ ! -s "$work/body" ] || { printf '='; cat "$work/body"; }; }`

export const responseFunctions = {
  json,
  header,
  body,
  start: [
    'work=$(mktemp -d) || exit 2',
    `end() {
  trap - EXIT
  undo
  rm -rf "$work"
  exit "$1"
}
trap 'end $?' EXIT
trap 'exit 2' HUP INT TERM
request() {
  : >"$work/body"
  status=$(curl -q --silent --show-error --max-time 60 "$@" --dump-header "$work/headers" \\
    --output "$work/body" --write-out '%{http_code}')
}
send() {
  request "$@" || stop 'there was no response'
  status=\${status#"\${status%???}"}
}
need() {
  case $status in $1) ;; *) stop "$2: status $status" ;; esac
}
delete() {
  name=$1
  shift
  request "$@"
  case $status in 2??|404) ;; *) say "$name was not deleted: status $status" >&2 ;; esac
}
conforms() {
  say "expected: $2"
  say "$1: \${actual#=} (conforms)"
  exit 0
}
deviates() {
  say "expected: $2"
  say "$1: \${actual#=} (deviates)"
  exit 1
}`,
  ],
}
