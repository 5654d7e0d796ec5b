/** The pet store that every description of an API is first tried on, in YAML as its authors keep it; a part of it. */
export const petstore = `
openapi: 3.0.3
info: { title: Swagger Petstore, version: 1.0.27 }
servers:
  - url: https://petstore3.swagger.io/api/v3
paths:
  /pet:
    post:
      tags: [pet]
      summary: Add a new pet to the store.
      operationId: addPet
      requestBody:
        required: true
        content:
          application/json: { schema: { $ref: '#/components/schemas/Pet' } }
      responses:
        '200': { description: Successful operation, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
        '422': { description: Validation exception }
      security: [{ petstore_auth: ['write:pets'] }]
  /pet/findByStatus:
    get:
      tags: [pet]
      summary: Finds pets by status.
      operationId: findPetsByStatus
      parameters:
        - { name: status, in: query, explode: true, schema: { type: string, default: available, enum: [available, pending, sold] } }
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Pet' } } } } }
      security: [{ petstore_auth: ['read:pets'] }]
  /pet/{petId}:
    get:
      tags: [pet]
      summary: Find pet by ID.
      operationId: getPetById
      parameters:
        - { name: petId, in: path, required: true, description: ID of pet to return, schema: { type: integer, format: int64 } }
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
        '404': { description: Pet not found }
      security: [{ api_key: [] }, { petstore_auth: ['read:pets'] }]
components:
  schemas:
    Pet:
      type: object
      required: [name, photoUrls]
      properties:
        id: { type: integer, format: int64, readOnly: true }
        name: { type: string, example: doggie }
        photoUrls: { type: array, items: { type: string } }
        status: { type: string, description: pet status in the store, enum: [available, pending, sold] }
  securitySchemes:
    petstore_auth: { type: oauth2, flows: { implicit: { authorizationUrl: https://petstore3.swagger.io/oauth/authorize, scopes: {} } } }
    api_key: { type: apiKey, name: api_key, in: header }
`;
