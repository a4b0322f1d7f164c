import { describe, expect, it } from 'vitest'
import { type Examined, examineReference } from '../../../lib/doctor/examination.fixture.ts'

/** With code hosting alone, of which nothing but the settings is told. */
function examineSettings(
  told: Record<string, string>,
  settingsRecord?: Record<string, unknown>,
): Promise<Examined> {
  return examineReference(
    settingsRecord === undefined
      ? {}
      : {
          codeHosting: { change: (rules) => ({ ...rules, settingsRecord: () => settingsRecord }) },
        },
    ({ CODE_HOSTING_BASE_URL = '' }) => ({ CODE_HOSTING_BASE_URL, ...told }),
  )
}

const shown = {
  max_response_items: 25,
  default_paging_num: 20,
  default_git_trees_per_page: 1000,
  default_max_blob_size: 10_485_760,
  default_max_response_size: 104_857_600,
}

describe('the settings of the server', () => {
  it('are compared with the defaults where no variable is set', async () => {
    const { texts } = await examineSettings({})

    expect(texts('good')).toContainEqual(
      expect.stringMatching(
        /settings that a run expects: max_response_items \(25\), default_paging/,
      ),
    )
    expect(texts('configuration', 'warning')).toEqual([])
  })

  it('are compared with the variables that are set', async () => {
    const { texts } = await examineSettings(
      { CODE_HOSTING_MAX_RESPONSE_ITEMS: '50' },
      { ...shown, max_response_items: 50 },
    )

    expect(texts('good')).toContainEqual(
      expect.stringMatching(
        /settings that a run expects: max_response_items \(50\), default_paging/,
      ),
    )
  })

  it('are a problem where they differ', async () => {
    const { texts } = await examineSettings({ CODE_HOSTING_DEFAULT_PAGING_NUM: '17' })

    expect(texts('configuration')).toEqual([
      expect.stringMatching(/default_paging_num is 20, and CODE_HOSTING_DEFAULT_PAGING_NUM is 17/),
    ])
    expect(texts('good').join()).not.toContain('default_paging_num')
  })

  it('agree with nothing where they are not shown', async () => {
    const { texts } = await examineSettings({}, { max_response_items: '25' })

    expect(texts('good').join('\n')).not.toMatch(/settings/)
    expect(texts('configuration')).toEqual([])
    expect(texts('warning')).toEqual([
      expect.stringMatching(
        /no number for max_response_items, default_paging_num, .*: a run judges that/,
      ),
    ])
  })
})
