import { refuse } from '../../http/refusal.ts'
import { jsonParts, type ResponseParts } from '../../http/response-parts.ts'
import type { Fault } from '../fault.ts'
import type { RequestContext } from '../request-context.ts'
import { type RuleChange, type Rules, replaceRule } from '../rules.ts'

const served = 'code-hosting/documentation/served'
const link = 'code-hosting/errors/documentation-link'
const found = 'code-hosting/versioning/prefix'
const readable = 'code-hosting/settings/readable-by-any-client'

function answered(
  change: (page: ResponseParts, context: RequestContext) => ResponseParts,
): RuleChange {
  return replaceRule(
    'documentationPage',
    (documented) => (context) => change(documented(context), context),
  )
}

function redirected(path: string): RuleChange {
  return answered((_page, { deployment }) => ({
    status: 302,
    headers: new Headers({ Location: deployment.basePath + path }),
  }))
}

/** Serves the settings below another prefix, and below the documented one this. */
function settingsMoved(
  instead: (asked: { rules: Rules; context: RequestContext; moved: string }) => ResponseParts,
): RuleChange {
  return (rules) => ({
    ...rules,
    begin: (context): ReturnType<Rules['begin']> => {
      const { basePath, settings } = context.deployment
      const moved = `${basePath}/api/v2/settings/api`
      if (context.endpoint === 'settings') return instead({ rules, context, moved })
      if (context.url.pathname !== moved) return rules.begin(context)
      const record = rules.settingsRecord(settings, context)
      return jsonParts(200, record, rules.contentType(200, context))
    },
  })
}

/** Faults in the documentation of the running server, in links to it and in the version. */
export const documentationAndVersioningFaults: readonly Fault[] = [
  {
    name: 'documentation-refused',
    requirements: [served],
    change: answered((page) => ({ ...page, status: 401 })),
  },
  {
    name: 'documentation-for-site-admins-alone',
    requirements: [served],
    change: answered((page, { caller }) =>
      caller?.account.siteAdmin === true ? page : { ...page, status: 403 },
    ),
  },
  {
    name: 'documentation-fails',
    requirements: [served],
    change: replaceRule('documentationPage', () => () => {
      throw new Error('the page cannot be rendered')
    }),
  },
  {
    name: 'documentation-empty',
    requirements: [served],
    change: answered((page) => ({ ...page, body: '' })),
  },
  {
    name: 'documentation-blank',
    requirements: [served],
    change: answered((page) => ({ ...page, body: '\n' })),
  },
  {
    name: 'documentation-redirected-in-a-circle',
    requirements: [served],
    change: redirected('/api/swagger'),
  },
  {
    name: 'documentation-redirected-to-nothing',
    requirements: [served],
    change: redirected('/api/swagger/index.html'),
  },
  {
    name: 'documentation-link-below-version',
    requirements: [link],
    change: replaceRule('documentationLink', () => (address) => `${address}/api/v1/swagger`),
  },
  {
    name: 'documentation-link-to-the-request-on-repositories',
    requirements: [link],
    change: replaceRule('documentationLink', (documented) => (address, context) => {
      if (context.endpoint !== 'repository') return documented(address, context)
      return address + context.url.pathname.slice(context.deployment.basePath.length)
    }),
  },
  {
    name: 'settings-below-other-version',
    requirements: [found, readable],
    change: settingsMoved(({ rules, context }) => refuse(rules.missingEndpoint(context))),
  },
  {
    name: 'settings-redirected-to-other-version',
    requirements: [found, readable],
    change: settingsMoved(({ moved }) => ({
      status: 308,
      headers: new Headers({ Location: moved }),
    })),
  },
]
