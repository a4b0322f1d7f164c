import type { KeyedContext } from '../keyed-service/call.ts'
import type { Deployment } from './deployment.ts'

export type Endpoint = 'publish' | 'replay' | 'status'

export type RequestContext = KeyedContext<Endpoint, Deployment>
