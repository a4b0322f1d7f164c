import { afterAll, describe, expect, it } from 'vitest'
import { SharedThread } from '../../prove/shared-thread.ts'
import { type DriftCase, driftOf } from './drift.fixture.ts'

const thread = new SharedThread()
afterAll(() => thread.close())

const base = /_BASE_URL$/

/** What is told, from nothing to everything, and what there is to be told. */
const cases: Record<string, DriftCase> = {
  'everything is told': {},
  'nothing but the base URLs is told': { only: base },
  'everything but repositories is told, and nothing may be changed': {
    without: /_REPOSITORY$/,
    with: { PROBE_READ_ONLY: 'true' },
  },
  'a token is given without a login name': {
    variants: ['given-token'],
    without: /_(USERNAME|PASSWORD|SECRET|EVENT_TYPE)$/,
  },
  'the main account has no repositories': { variants: ['no-repositories', 'event-id-given'] },
  'the main account has one repository': {
    variants: ['single-repository', 'incident-update-body-untold'],
  },
  'the public repository is of somebody else': {
    variants: ['public-repository-of-somebody-else'],
    without: /_(OTHER_USERNAME|OTHER_PASSWORD|API_KEY)$/,
  },
  'the server has other settings, and takes few types of events': {
    variants: ['legacy-and-query-disabled', 'event-types-limited-untold-inconclusive'],
  },
  'lists are not counted, and the event id is shown nowhere': {
    variants: ['no-total-count', 'event-id-nowhere'],
  },
  'the list is longer than may be read': { with: { PROBE_MAX_PAGES: '2' } },
}

describe('what the doctor foretells', () => {
  it.each(Object.entries(cases))('is what a run does where %s', async (_, driftCase) => {
    const { differences, doctor, report } = await driftOf(driftCase, thread)

    expect(differences).toEqual([])
    expect(doctor.requirements.length).toBe(report.results.length)
    // The server leaves open what these came to; the others must not hide behind them.
    expect(doctor.requirements.filter(({ dependsOn }) => dependsOn).length).toBeLessThan(19)
  })
})
