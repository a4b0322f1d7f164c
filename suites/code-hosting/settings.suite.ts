import { displayValue } from '../../lib/conformance/describe-exchange.ts'
import { toPointer } from '../../lib/conformance/json-pointer.ts'
import { expect, verify } from './dsl.ts'
import * as schemas from './schemas/validators.ts'

verify('code-hosting/settings/record', async ({ settingsRecord }) => {
  expect(await settingsRecord()).toMatchSchema(schemas.apiSettings)
})

verify('code-hosting/settings/values', async ({ settings, settingsRecord }) => {
  expect(await settingsRecord()).toHaveFields({
    max_response_items: settings.maxResponseItems,
    default_paging_num: settings.defaultPagingNum,
    default_git_trees_per_page: settings.defaultGitTreesPerPage,
    default_max_blob_size: settings.defaultMaxBlobSize,
    default_max_response_size: settings.defaultMaxResponseSize,
  })
})

verify(
  'code-hosting/settings/agree-with-pagination',
  async ({ observedPageSizes, repositories, settingsRecord }) => {
    const record = await settingsRecord()
    await repositories.settled(async (list) => {
      const { usual, largest } = await observedPageSizes(list)
      const told = record.json as Record<string, unknown> | null | undefined
      const sizes = Object.entries({ default_paging_num: usual, max_response_items: largest })
      const apart = sizes.filter(([name, size]) => told?.[name] !== size)
      const texts = apart.map(([name, size]) => {
        const asked = name === 'default_paging_num' ? 'without a limit' : 'with a limit above that'
        const said = displayValue(record, told?.[name])
        return `the settings record says ${name} ${said}, and a list ${asked} has ${size} items a page`
      })
      // Which of the two is wrong, nobody can tell.
      const same = 'the same page sizes in the settings record and in lists'
      const pointer = toPointer(apart.slice(0, 1).map(([name]) => name))
      expect(record).toShow(apart.length === 0, same, texts.join('; '), { pointer })
    })
  },
)
