import type { Refusal, ResponseParts } from '../../http.ts'
import type { RequestContext } from '../request-context.ts'

/** Document: Error body; Errors. What all responses share, and hooks for what no other rule covers. */
export interface ResponseRules {
  /** @param link as `documentationLink` gives it */
  errorBody(refusal: Refusal, link: string, context: RequestContext): unknown
  /** @param address as `publicAddress` gives it */
  documentationLink(address: string, context: RequestContext): string
  /** The answer to a mistake of the server. */
  serverError(error: unknown, context: RequestContext): Refusal
  /** A path or method that is no endpoint. */
  missingEndpoint(context: RequestContext): Refusal
  /** @param contentType the header's value, empty when it is absent */
  jsonMediaType(contentType: string, context: RequestContext): boolean
  malformedBody(reason: string, context: RequestContext): Refusal
  /** @param field name of the field that is absent or has a wrong type */
  invalidField(field: string, reason: string, context: RequestContext): Refusal

  // All responses.
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
  errorBody: (refusal, link) => ({ message: refusal.message, url: link }),
  documentationLink: (address) => `${address}/api/swagger`,
  serverError: (error, context) => ({
    status: 500,
    message:
      context.caller?.actor.siteAdmin === true && error instanceof Error ? error.message : '',
  }),
  missingEndpoint: () => ({ status: 404, message: 'not found' }),
  jsonMediaType: (contentType) => /^application\/json\s*(;|$)/i.test(contentType.trim()),
  malformedBody: (reason) => ({ status: 400, message: `malformed request: ${reason}` }),
  invalidField: (field, reason) => ({ status: 422, message: `${field}: ${reason}` }),

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
