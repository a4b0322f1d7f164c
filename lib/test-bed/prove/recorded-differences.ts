interface RecordedDifference {
  requirement: string
  /** Reason why a recording by Plumbline cannot know it. */
  reason: string
}

/** Requirements by the scenario in which the recording of a run has another verdict than the run. */
export const recordedDifferences: Readonly<Record<string, RecordedDifference>> = {
  'token-value-in-a-cookie': {
    requirement: 'code-hosting/tokens/value-shown-once',
    reason: 'evidence.har names the values of cookies, and does not show that one is a token',
  },
  'token-values-in-base64': {
    requirement: 'code-hosting/authentication/query-access-token',
    reason:
      'evidence.har may give a wrong token, in another letter case, the name of the right one',
  },
}
