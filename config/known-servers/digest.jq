# Digest of a report.json: without exchanges, observations and settings. $commit is that of Plumbline.
.tool.version += "+" + $commit
  | .exchanges = [] | .observations = [] | .results[].exchanges = [] | .results[].durationMs = 0
  | del(.settings, .run.options, .run.program, .results[].partial, .results[].reads, .results[].noVerdict.exchange,
        .results[].deviations[]?["exchange", "reads"])
