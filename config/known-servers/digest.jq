.exchanges = [] | .observations = [] | .results[].exchanges = [] | .results[].durationMs = 0
  | del(.settings, .run.options, .results[].partial, .results[].reads, .results[].deviations[]?["exchange", "reads"])
