"""The demo's data: people, bank, one finished and one running interview, made by the services that pages use."""
