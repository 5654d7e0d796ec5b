/** A web search and a warehouse, described as Google describes its own: only the parts that the story needs. */
export const searchDescription = {
  openapi: '3.0.3',
  info: { title: 'Custom Search', version: 'v1' },
  servers: [{ url: 'https://customsearch.googleapis.com' }],
  security: [{ key: [] }],
  paths: {
    '/customsearch/v1': {
      get: {
        operationId: 'search.cse.list',
        tags: ['cse'],
        description: 'Returns metadata about the search performed, and the search results.',
        parameters: [
          {
            name: 'q',
            in: 'query',
            required: true,
            description: 'Query',
            schema: { type: 'string', minLength: 1 },
            example: 'kyoto temples',
          },
          { name: 'cx', in: 'query', required: true, description: 'The search engine to use.', schema: { type: 'string' } },
          { name: 'num', in: 'query', description: 'How many results to return.', schema: { type: 'integer', minimum: 1, maximum: 10 } },
        ],
        responses: {
          200: { description: 'Results', content: { 'application/json': { schema: { $ref: '#/components/schemas/Search' } } } },
          429: { description: 'Quota exceeded' },
        },
      },
    },
  },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'key' } },
    schemas: {
      Search: {
        type: 'object',
        properties: { kind: { type: 'string' }, items: { type: 'array', items: { $ref: '#/components/schemas/Result' } } },
      },
      Result: { type: 'object', properties: { title: { type: 'string' }, link: { type: 'string' }, snippet: { type: 'string' } } },
    },
  },
};

export const warehouseDescription = {
  openapi: '3.0.3',
  info: { title: 'BigQuery', version: 'v2' },
  servers: [{ url: 'https://bigquery.googleapis.com/bigquery/v2' }],
  security: [{ Oauth2: ['https://www.googleapis.com/auth/bigquery'] }],
  paths: {
    '/projects/{projectId}/queries': {
      post: {
        operationId: 'bigquery.jobs.query',
        tags: ['jobs'],
        description: 'Runs a BigQuery SQL query synchronously and returns query results if the query completes within a specified timeout.',
        parameters: [{ name: 'projectId', in: 'path', required: true, schema: { type: 'string' } }],
        requestBody: { required: true, content: { 'application/json': { schema: { $ref: '#/components/schemas/QueryRequest' } } } },
        responses: {
          200: { description: 'Rows', content: { 'application/json': { schema: { $ref: '#/components/schemas/QueryResponse' } } } },
          400: { description: 'The query is wrong' },
          404: { description: 'No such table' },
        },
      },
    },
  },
  components: {
    securitySchemes: { Oauth2: { type: 'oauth2', flows: {} } },
    schemas: {
      QueryRequest: {
        type: 'object',
        properties: {
          query: { type: 'string', description: 'The SQL to run.' },
          maxResults: { type: 'integer' },
          useLegacySql: { type: 'boolean' },
          kind: { type: 'string', readOnly: true },
        },
        required: ['query'],
      },
      QueryResponse: {
        type: 'object',
        properties: {
          jobComplete: { type: 'boolean' },
          totalRows: { type: 'string', format: 'uint64' },
          rows: {
            type: 'array',
            items: { type: 'object', properties: { f: { type: 'array', items: { type: 'object', properties: { v: {} } } } } },
          },
        },
        required: ['jobComplete'],
      },
    },
  },
};
