import type { KeyedCall, KeyedContext } from '../keyed-service/call.ts'
import type { KeyedEndpoint } from '../keyed-service/routes.ts'
import type { Deployment } from './deployment.ts'
import type { Rules } from './rules.ts'

export type Endpoint = 'publish' | 'replay' | 'status'

export type RequestContext = KeyedContext<Endpoint, Deployment>

export type Call = KeyedCall<RequestContext, Rules>

export type EndpointDefinition = KeyedEndpoint<Endpoint, RequestContext, Rules>
