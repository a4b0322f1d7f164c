import { displayValue } from '../../lib/conformance/describe-exchange.ts'
import { each } from '../../lib/conformance/each.ts'
import { toPointer } from '../../lib/text/json-pointer.ts'
import { expect, verify } from './dsl.ts'
import { absence, fixedEndpoints } from './model/endpoints.ts'
import * as schemas from './schemas/validators.ts'

verify('code-hosting/settings/record', async ({ settingsRecords }) => {
  for (const record of await settingsRecords()) expect(record).toMatchSchema(schemas.apiSettings)
})

verify('code-hosting/settings/values', async ({ settings, settingsRecords }) => {
  const fields = {
    max_response_items: settings.maxResponseItems,
    default_paging_num: settings.defaultPagingNum,
    default_git_trees_per_page: settings.defaultGitTreesPerPage,
    default_max_blob_size: settings.defaultMaxBlobSize,
    default_max_response_size: settings.defaultMaxResponseSize,
  }
  for (const record of await settingsRecords()) expect(record).toHaveFields(fields)
})

verify(
  'code-hosting/settings/agree-with-pagination',
  async ({ observedPageSizes, repositories, settingsRecord }) => {
    const record = await settingsRecord()
    await repositories.retryWhileChanging(async (list) => {
      const { defaultSize, maxSize } = await observedPageSizes(list)
      const fields = record.json as Record<string, unknown> | null | undefined
      const sizes = Object.entries({ default_paging_num: defaultSize, max_response_items: maxSize })
      const different = sizes.filter(([name, size]) => fields?.[name] !== size)
      const texts = different.map(([name, size]) => {
        const query = name === 'default_paging_num' ? 'without a limit' : 'with a higher limit'
        const value = displayValue(record, fields?.[name])
        return `the settings record has ${name} ${value}, and a list ${query} has ${size} items per page`
      })
      // Either of the two may be wrong.
      const same = 'the same page sizes in the settings record and in lists'
      const pointer = toPointer(different.slice(0, 1).map(([name]) => name))
      expect(record).toShow(different.length === 0, same, texts.join('; '), { pointer })
    })
  },
)

verify('code-hosting/versioning/prefix', ({ codeHosting }) =>
  each(fixedEndpoints(codeHosting), async (request) => {
    const endpoint = await request
    const absent = absence(endpoint)
    expect(endpoint.response).toShow(
      absent === undefined,
      `${endpoint.path} below /api/v1`,
      absent ?? `status ${endpoint.response.status}`,
      { status: true },
    )
  }),
)
