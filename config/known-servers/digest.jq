# Digest of a report.json: without exchanges, observations, settings, options and program. $commit is that of Plumbline.
.tool.version += "+" + $commit
  | .exchanges = [] | .observations = [] | .results[].exchanges = [] | .results[].durationMs = 0
  | .settings = {} | .run.options = [] | .run.program = "plumbline"
  | del(.results[].reads, .results[].noVerdict.exchange, .results[].cases.missing[]?.noVerdict.exchange,
        .results[].deviations[]?["exchange", "conformedIn", "repeated", "reads"])
