# Digest of a report.json: without exchanges, observations, settings and options. $commit is that of Plumbline.
.tool.version += "+" + $commit
  | .exchanges = [] | .observations = [] | .results[].exchanges = [] | .results[].durationMs = 0
  | .settings = {} | .run.options = []
  | del(.results[].partial, .results[].reads, .results[].deviations[]?["exchange", "reads"])
