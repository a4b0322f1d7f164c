/** A part of a JSON Schema. */
type Schema = Record<string, unknown>

const text = { type: 'string', minLength: 1 }
const count = { type: 'integer', minimum: 0 }
const flag = { type: 'boolean' }
const quantity = { type: 'string', pattern: '^\\d+(m|[KMGT]i?)?$' }
const only = (...values: string[]) => ({ enum: values })
const list = (items: Schema) => ({ type: 'array', items, minItems: 1 })
const byName = (values: Schema) => ({ type: 'object', additionalProperties: values })

/** An object with these fields and no others; those whose names end in `!` are required. */
function record(fields: Record<string, Schema>): Schema {
  const properties = Object.entries(fields).map(([name, schema]) => [name.replace('!', ''), schema])
  const required = Object.keys(fields).flatMap((name) => (/!$/.test(name) ? name.slice(0, -1) : []))
  const type = 'object'
  return { type, additionalProperties: false, properties: Object.fromEntries(properties), required }
}

const metadata = record({ 'name!': text, labels: byName(text) })
const resources = record({
  requests: record({ cpu: quantity, memory: quantity, storage: quantity }),
  limits: record({ cpu: quantity, memory: quantity }),
})

const container = record({
  'name!': text,
  'image!': text,
  command: list(text),
  args: list(text),
  env: list({
    anyOf: [
      record({ 'name!': text, 'value!': text }),
      record({
        'name!': text,
        'valueFrom!': record({
          'secretKeyRef!': record({ 'name!': text, 'key!': text, optional: flag }),
        }),
      }),
    ],
  }),
  securityContext: record({
    readOnlyRootFilesystem: flag,
    allowPrivilegeEscalation: flag,
    capabilities: record({ drop: list(text) }),
  }),
  resources,
  volumeMounts: list(record({ 'name!': text, 'mountPath!': text, readOnly: flag })),
})

const pod = record({
  'restartPolicy!': only('Never', 'OnFailure'),
  activeDeadlineSeconds: count,
  automountServiceAccountToken: flag,
  enableServiceLinks: flag,
  terminationGracePeriodSeconds: count,
  securityContext: record({
    runAsNonRoot: flag,
    runAsUser: count,
    runAsGroup: count,
    fsGroup: count,
    seccompProfile: record({ 'type!': only('RuntimeDefault', 'Localhost', 'Unconfined') }),
  }),
  'containers!': list(container),
  volumes: list(
    record({
      'name!': text,
      secret: record({ 'secretName!': text, defaultMode: count }),
      configMap: record({ 'name!': text }),
      persistentVolumeClaim: record({ 'claimName!': text }),
      emptyDir: record({ sizeLimit: quantity }),
    }),
  ),
})

/** The parts of a CronJob that the template uses: another field has to be added here. */
const cronJob = record({
  'apiVersion!': only('batch/v1'),
  'kind!': only('CronJob'),
  'metadata!': metadata,
  'spec!': record({
    'schedule!': { type: 'string', pattern: '^\\S+( \\S+){4}$' },
    timeZone: text,
    concurrencyPolicy: only('Allow', 'Forbid', 'Replace'),
    startingDeadlineSeconds: count,
    successfulJobsHistoryLimit: count,
    failedJobsHistoryLimit: count,
    'jobTemplate!': record({
      'spec!': record({
        completionMode: only('NonIndexed', 'Indexed'),
        completions: count,
        parallelism: count,
        backoffLimit: count,
        backoffLimitPerIndex: count,
        activeDeadlineSeconds: count,
        'template!': record({ metadata: record({ labels: byName(text) }), 'spec!': pod }),
      }),
    }),
  }),
})

/** Schemas of manifests by kind. */
export const schemas = {
  CronJob: cronJob,
  ConfigMap: record({
    'apiVersion!': only('v1'),
    'kind!': only('ConfigMap'),
    'metadata!': metadata,
    data: byName(text),
  }),
  PersistentVolumeClaim: record({
    'apiVersion!': only('v1'),
    'kind!': only('PersistentVolumeClaim'),
    'metadata!': metadata,
    'spec!': record({ accessModes: list(text), 'resources!': resources }),
  }),
}
