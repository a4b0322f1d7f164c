import { each } from '../../lib/conformance/each.ts'
import { expect, verify } from './dsl.ts'
import { absence, fixedEndpoints } from './support/endpoints.ts'

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
