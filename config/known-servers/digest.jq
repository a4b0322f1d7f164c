# Digest of a report.json: the results of requirements other than passes. $name is that of the server, $commit that of Plumbline.
(INDEX(.exchanges[]; .id) | map_values("\(.request.method) \(.request.url | sub("^[^/]*//[^/]*"; "")) \(.response.status?)")) as $requests
| {
  name: $name,
  plumbline: "\(.tool.version)+\($commit)",
  date: .run.startedAt[:10],
  testable: .coverage.testable,
  failed: ([.results[] | select(.verdict == "fail") | { (.requirement): [.deviations[]?
    | "\(.subject // $requests[.exchange]): \(if .problem and ((.actual | length) > 160 or (.actual | contains("$"))) then .problem else .actual end)"] | unique }] | add),
  noVerdict: [.results[] | select(.verdict == "skipped" or .verdict == "inconclusive")
    | select(.noVerdict.kind | IN("untestable", "not selected") | not) | .requirement]
}
