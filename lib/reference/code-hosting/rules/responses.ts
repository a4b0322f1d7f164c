import type { ResponseParts } from '../../http/response-parts.ts'
import type { RequestContext } from '../request-context.ts'

/** What all responses have in common, and hooks for what no other rule covers. */
export interface ResponseRules {
  /** The base URL by which the server names itself, without a slash at the end. */
  publicAddress(context: RequestContext): string
  contentType(status: number, context: RequestContext): string
  /** The documentation of the running server (document: What the service does). */
  documentationPage(context: RequestContext): ResponseParts
  /** Runs before anything else; parts that it returns are the answer, an error that it throws is a 500. */
  begin(context: RequestContext): ResponseParts | undefined | Promise<ResponseParts | undefined>
  /** Runs last, on every response; what it returns is sent. */
  finish(parts: ResponseParts, context: RequestContext): ResponseParts | Promise<ResponseParts>
}

const page = `<!doctype html>
<html lang="en">
<title>Code hosting API</title>
<h1>Code hosting API</h1>
<p>The endpoints are under <code>/api/v1</code>.</p>
</html>
`

export const responseRules: ResponseRules = {
  publicAddress: (context) => context.deployment.baseUrl,
  contentType: () => 'application/json;charset=utf-8',
  documentationPage: () => ({
    status: 200,
    headers: new Headers({ 'Content-Type': 'text/html;charset=utf-8' }),
    body: page,
  }),
  begin: () => undefined,
  finish: (parts) => parts,
}
