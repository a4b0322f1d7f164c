import { expect, it } from 'vitest'
import { startReference } from '../test-bed/reference/index.ts'
import { atTheEnd } from './command.fixture.ts'
import { enclosedRun } from './enclosed-run.fixture.ts'

it('a deviation that only some equal requests show is intermittent, and fails', async () => {
  const counts = new Map<string, number>()
  const reference = await startReference({
    services: ['code-hosting'],
    variant: {
      name: 'page-missing-in-turns',
      intermediary: () => async (request, respond) => {
        const parts = await respond(request)
        const names = ['Authorization', 'Sudo', 'Origin']
        const key = [request.url, ...names.map((name) => request.headers.get(name))].join()
        const count = (counts.get(key) ?? 0) + 1
        counts.set(key, count)
        const isWrong = count % 2 === 1 && new URL(request.url).searchParams.get('limit') === '2'
        if (!isWrong) return parts
        const headers = new Headers(parts.headers)
        headers.delete('X-Page')
        return { ...parts, headers }
      },
    },
  })
  atTheEnd(() => reference.close())
  const options = { requirement: ['code-hosting/pagination/page-header'], confirm: 3 }
  const { status, report, text } = await enclosedRun(reference.environment, options)
  const [deviation] = report.results.find(({ verdict }) => verdict === 'fail')?.deviations ?? []
  expect(status).toBe(1)
  expect(deviation).toMatchObject({ repeated: { requests: 4 } })
  expect(deviation?.repeated?.deviating).toBeLessThan(4)
  const conforming = report.exchanges.find(({ id }) => id === deviation?.conformedIn)
  const fields = conforming?.response?.headers.map(({ name }) => name.toLowerCase())
  expect(fields).toContain('x-page')
  expect(text).toContain(`${deviation?.conformedIn}`)
})
