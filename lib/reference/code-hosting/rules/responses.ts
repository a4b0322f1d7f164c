import type { Refusal } from '../../endpoints.ts'
import { type ResponseParts, responseParts } from '../../http.ts'
import type { RequestContext } from '../deployment.ts'

const page = '<!doctype html>\n<title>Code hosting API</title>\n<h1>Code hosting API</h1>\n'

/** Document: Error body; Errors. What all responses share, and hooks for what no other rule covers. */
export const responseRules = {
  /** @param link as `documentationLink` gives it */
  errorBody: ({ message }: Refusal, link: string): unknown => ({ message, url: link }),
  /** @param address as `publicAddress` gives it */
  documentationLink: (address: string) => `${address}/api/swagger`,
  /** The answer to a mistake of the server. */
  serverError: (error: unknown, { caller }: RequestContext): Refusal => ({
    status: 500,
    message: caller?.actor.siteAdmin === true && error instanceof Error ? error.message : '',
  }),
  /** A path or method that is no endpoint. */
  missingEndpoint: (): Refusal => ({ status: 404, message: 'not found' }),
  /** @param contentType the header's value, empty when it is absent */
  jsonMediaType: (contentType: string) => /^application\/json\s*(;|$)/i.test(contentType.trim()),
  malformedBody: (reason: string): Refusal => ({
    status: 400,
    message: `malformed request: ${reason}`,
  }),
  /** @param field name of the field that is absent or has a wrong type */
  invalidField: (field: string, reason: string): Refusal => ({
    status: 422,
    message: `${field}: ${reason}`,
  }),

  // All responses.
  /** The base URL by which the server names itself, without a slash at the end. */
  publicAddress: ({ deployment }: RequestContext) => deployment.baseUrl,
  contentType: (_status: number) => 'application/json;charset=utf-8',
  /** The documentation of the running server (document: What the service does). */
  documentationPage: () => responseParts(200, { 'Content-Type': 'text/html;charset=utf-8' }, page),
  /** Runs before anything else; parts that it returns are the answer, an error that it throws is a 500. */
  begin: (): ResponseParts | undefined => undefined,
  /** Runs last, on every response; what it returns is sent. */
  finish: (parts: ResponseParts) => parts,
}
